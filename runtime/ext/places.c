/* Places of differences between tensors at addresses (sim/places.h). */
#include "ext.h"

#include "sim/places.h"

static PyObject *index_list(const size_t *index, int rank)
{
    PyObject *list = PyList_New(rank);
    for (int axis = 0; list != NULL && axis < rank; axis++) {
        PyObject *number = PyLong_FromSize_t(index[axis]);
        if (number == NULL || PyList_SetItem(list, axis, number) != 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *axis_dict(const PtsAxisPlaces *axis)
{
    size_t count = axis->ranges < PTS_PLACES_RANGES ? axis->ranges : PTS_PLACES_RANGES;
    PyObject *ranges = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; ranges != NULL && i < count; i++) {
        PyObject *pair = index_list(axis->range[i], 2);
        if (pair == NULL || PyList_SetItem(ranges, (Py_ssize_t)i, pair) != 0) {
            Py_CLEAR(ranges);
        }
    }
    if (ranges == NULL) {
        return NULL;
    }
    return Py_BuildValue("{snsnsnsnsnsN}", "extent", (Py_ssize_t)axis->extent, "hit",
                         (Py_ssize_t)axis->hit, "run", (Py_ssize_t)axis->run, "period",
                         (Py_ssize_t)axis->period, "runs", (Py_ssize_t)axis->ranges, "ranges",
                         ranges);
}

static PyObject *places_dict(const PtsPlaces *places)
{
    PyObject *axes = PyList_New(places->rank);
    for (int axis = 0; axes != NULL && axis < places->rank; axis++) {
        PyObject *dict = axis_dict(&places->axes[axis]);
        if (dict == NULL || PyList_SetItem(axes, axis, dict) != 0) {
            Py_CLEAR(axes);
        }
    }
    if (axes == NULL) {
        return NULL;
    }
    return Py_BuildValue(
        "{sNsNsNsNsssisLsssisisLsdsssn}", "first", index_list(places->first, places->rank), "last",
        index_list(places->last, places->rank), "worst", index_list(places->worst, places->rank),
        "axes", axes, "place", pts_place_name(places->place), "place_axis", places->place_axis,
        "diagonal", (long long)places->diagonal, "likeness", pts_likeness_name(places->likeness),
        "axis", places->axis, "other", places->other, "distance", (long long)places->distance,
        "number", places->number, "map", places->map, "map_columns",
        (Py_ssize_t)places->map_columns);
}

PyObject *module_places(PyObject *self, PyObject *args)
{
    (void)self;
    unsigned long long candidate = 0, reference = 0;
    PyObject *shape = NULL;
    PtsDtype dtype = PTS_BOTTOM;
    PtsTolerance tolerance = {0, 0};
    if (!PyArg_ParseTuple(args, "KKOO&dd", &candidate, &reference, &shape, convert_dtype, &dtype,
                          &tolerance.atol, &tolerance.rtol)) {
        return NULL;
    }
    int64_t numbers[PTS_PLACES_RANK];
    int rank = read_integers(shape, numbers, PTS_PLACES_RANK);
    size_t extents[PTS_PLACES_RANK] = {0};
    bool sound = rank >= 1;
    for (int axis = 0; axis < rank; axis++) {
        extents[axis] = (size_t)numbers[axis];
        sound = sound && numbers[axis] >= 0;
    }
    if (!sound) {
        if (PyErr_Occurred() == NULL) {
            PyErr_SetString(PyExc_ValueError, "a shape has an axis, and no negative extent");
        }
        return NULL;
    }
    PtsPlaces places;
    PtsError error;
    bool good = false;
    Py_BEGIN_ALLOW_THREADS good =
        pts_places((const void *)(uintptr_t)candidate, (const void *)(uintptr_t)reference, dtype,
                   rank, extents, tolerance, &places, &error);
    Py_END_ALLOW_THREADS return good ? places_dict(&places) : raise_error(&error);
}
