/* Comparisons of tensors at addresses (sim/compare.h). */
#include "ext.h"

#include "sim/compare.h"

#include <math.h>

static PyObject *number_or_none(double value)
{
    if (isfinite(value)) {
        return PyFloat_FromDouble(value);
    }
    Py_INCREF(Py_None);
    return Py_None;
}

static PyObject *truth(bool value)
{
    return PyBool_FromLong(value ? 1 : 0);
}

/* What all comparisons tell; NULL with an exception. */
static PyObject *comparison_dict(const PtsComparison *comparison)
{
    return Py_BuildValue(
        "{sNsNsNsnsnsnsN}", "max_abs_diff", number_or_none(comparison->max_abs_diff),
        "max_rel_diff", number_or_none(comparison->max_rel_diff), "all_close",
        truth(comparison->out_of_tolerance == 0), "elements", (Py_ssize_t)comparison->elements,
        "out_of_tolerance", (Py_ssize_t)comparison->out_of_tolerance, "nonfinite",
        (Py_ssize_t)comparison->nonfinite, "exact", truth(comparison->exact));
}

static const void *pointer_to(unsigned long long address)
{
    return (const void *)(uintptr_t)address;
}

static bool check_count(Py_ssize_t count)
{
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "a count cannot be negative");
    }
    return count >= 0;
}

PyObject *module_compare(PyObject *self, PyObject *args)
{
    (void)self;
    unsigned long long candidate = 0, reference = 0;
    Py_ssize_t count = 0;
    PtsDtype dtype = PTS_BOTTOM;
    PtsTolerance tolerance = {0, 0};
    PtsComparison comparison;
    PtsError error;
    bool good = false;
    if (!PyArg_ParseTuple(args, "KKnO&dd", &candidate, &reference, &count, convert_dtype, &dtype,
                          &tolerance.atol, &tolerance.rtol) ||
        !check_count(count)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS good = pts_compare(pointer_to(candidate), pointer_to(reference), dtype,
                                              (size_t)count, tolerance, &comparison, &error);
    Py_END_ALLOW_THREADS return good ? comparison_dict(&comparison) : raise_error(&error);
}

/* comparison_dict with what detailed_tensor_compare tells, infinities and NaN as they are. */
static PyObject *details_dict(const PtsComparison *comparison, const PtsComparisonDetails *details)
{
    PyObject *dict = comparison_dict(comparison);
    const struct {
        const char *name;
        double value;
    } rows[] = {
        {"max_diff", comparison->max_abs_diff},
        {"mean_diff", details->mean_diff},
        {"std_diff", details->std_diff},
        {"max_out_of_tolerance_diff", details->max_out_of_tolerance_diff},
        {"mean_out_of_tolerance_diff", details->mean_out_of_tolerance_diff},
    };
    for (size_t i = 0; dict != NULL && i < sizeof rows / sizeof *rows; i++) {
        PyObject *value = PyFloat_FromDouble(rows[i].value);
        if (value == NULL || PyDict_SetItemString(dict, rows[i].name, value) != 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(value);
    }
    return dict;
}

PyObject *module_compare_details(PyObject *self, PyObject *args)
{
    (void)self;
    unsigned long long candidate = 0, reference = 0, differences = 0, mask = 0;
    Py_ssize_t count = 0;
    PtsDtype dtype = PTS_BOTTOM;
    PtsTolerance tolerance = {0, 0};
    PtsComparison comparison;
    PtsComparisonDetails details = {.differences = NULL};
    PtsError error;
    bool good = false;
    if (!PyArg_ParseTuple(args, "KKnO&ddKK", &candidate, &reference, &count, convert_dtype, &dtype,
                          &tolerance.atol, &tolerance.rtol, &differences, &mask) ||
        !check_count(count)) {
        return NULL;
    }
    details.differences = (void *)(uintptr_t)differences;
    details.mask = (uint8_t *)(uintptr_t)mask;
    Py_BEGIN_ALLOW_THREADS good =
        pts_compare_details(pointer_to(candidate), pointer_to(reference), dtype, (size_t)count,
                            tolerance, &comparison, &details, &error);
    Py_END_ALLOW_THREADS return good ? details_dict(&comparison, &details) : raise_error(&error);
}

PyObject *module_compare_order(PyObject *self, PyObject *args)
{
    (void)self;
    unsigned long long differences = 0, mask = 0, order = 0;
    Py_ssize_t count = 0;
    PtsDtype dtype = PTS_BOTTOM;
    PtsError error;
    bool good = false;
    if (!PyArg_ParseTuple(args, "KO&KnK", &differences, convert_dtype, &dtype, &mask, &count,
                          &order) ||
        !check_count(count)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS good =
        pts_compare_order(pointer_to(differences), dtype, (const uint8_t *)pointer_to(mask),
                          (size_t)count, (int64_t *)(uintptr_t)order, &error);
    Py_END_ALLOW_THREADS if (!good)
    {
        return raise_error(&error);
    }
    Py_RETURN_NONE;
}
