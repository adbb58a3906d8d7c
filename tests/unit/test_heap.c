/* Tests of the heap: blocks are reused, keep their content, and failures go to the arena's
 * guard. */
#include "base/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_without_heap(void **state)
{
    (void)state;
    char *block = heap_malloc(10);
    memcpy(block, "123456789", 10);
    block = heap_realloc(block, 100000);
    assert_string_equal(block, "123456789");
    heap_release(block);
    heap_release(NULL);
    unsigned char *zeros = heap_calloc(100, 3);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(zeros[i], 0);
    }
    heap_release(zeros);
    block = heap_realloc(NULL, 5);
    assert_non_null(block);
    heap_release(block);
}

static void test_reuse(void **state)
{
    (void)state;
    Arena arena;
    Heap heap;
    arena_init(&arena, 0);
    heap_init(&heap, 0, 0);
    heap_enter(&heap, &arena);
    static const size_t sizes[] = {0, 1, 16, 17, 1024, 1025, 5000, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *first = heap_malloc(sizes[i]);
        assert_non_null(first);
        assert_int_equal((uintptr_t)first % _Alignof(max_align_t), 0);
        memset(first, 0x5A, sizes[i]);
        heap_release(first);
        assert_ptr_equal(heap_malloc(sizes[i]), first);
    }
    /* A million blocks that live one after the other need no more than one. */
    size_t used = heap.memory.used;
    for (int i = 0; i < 1000000; i++) {
        heap_release(heap_malloc(4000));
    }
    assert_true(heap.memory.used <= used + 2 * 1024 * 1024);
    heap_leave(&heap);
    heap_free(&heap);
    arena_free(&arena);
}

/* Random sizes, in and out: content is checked against a pattern that belongs to the block. */
static void test_content(void **state)
{
    (void)state;
    enum { SLOTS = 200, ROUNDS = 40000 };
    static unsigned char *blocks[SLOTS];
    static size_t sizes[SLOTS];
    Arena arena;
    Heap heap;
    arena_init(&arena, 0);
    heap_init(&heap, 0, 0);
    heap_enter(&heap, &arena);
    unsigned seed = 12345;
    for (unsigned round = 0; round < ROUNDS; round++) {
        seed = seed * 1103515245u + 12345u;
        size_t slot = (seed >> 8) % SLOTS;
        size_t wanted = (seed >> 16) % (round % 16 == 0 ? 9000 : 300) + 1;
        size_t kept = sizes[slot] < wanted ? sizes[slot] : wanted;
        if (round % 5 == 0) {
            heap_release(blocks[slot]);
            blocks[slot] = heap_calloc(1, wanted);
            assert_int_equal(blocks[slot][wanted - 1], 0);
        } else {
            blocks[slot] = heap_realloc(blocks[slot], wanted);
            for (size_t i = 0; i < kept; i++) {
                assert_int_equal(blocks[slot][i], slot);
            }
        }
        memset(blocks[slot], (int)slot, wanted);
        sizes[slot] = wanted;
    }
    heap_leave(&heap);
    heap_free(&heap);
    arena_free(&arena);
}

/* Does this request, on a heap of so many bytes, go to the guard? */
static bool goes_to_guard(size_t budget, size_t count, size_t size)
{
    Arena arena;
    Heap heap;
    jmp_buf env;
    arena_init(&arena, 0);
    heap_init(&heap, budget, 0);
    volatile bool guarded = false;
    if (OOM_GUARD(&arena, env)) {
        heap_enter(&heap, &arena);
        assert_non_null(heap_calloc(count, size));
    } else {
        guarded = true;
    }
    heap_leave(&heap);
    heap_free(&heap);
    arena_free(&arena);
    return guarded;
}

static void test_failure(void **state)
{
    (void)state;
    assert_false(goes_to_guard(0, 1, 1 << 20));
    assert_true(goes_to_guard(100000, 1, 1 << 20));
    assert_true(goes_to_guard(0, 1, SIZE_MAX));
    assert_true(goes_to_guard(0, 1, SIZE_MAX / 2));
    assert_true(goes_to_guard(0, 1, (size_t)1 << 40));
    assert_true(goes_to_guard(0, SIZE_MAX / 2, 4)); /* the product wraps around */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_heap),
        cmocka_unit_test(test_reuse),
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
