# The numeric kernels. The inner loops (loops_*.c, gemm_tile.c) are compiled once per instruction
# set; loops.c chooses at run time. They are optimised in every kind of build, sanitizers aside.
set(kernel_dir ${CMAKE_CURRENT_SOURCE_DIR}/kernels)
file(GLOB kernel_sources CONFIGURE_DEPENDS ${kernel_dir}/*.c)
set(loop_sources ${kernel_sources})
list(FILTER loop_sources INCLUDE REGEX "/(loops_[^/]*|gemm_tile)\\.c$")
list(REMOVE_ITEM kernel_sources ${loop_sources})

set(kernel_options -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-strict-aliasing)
if(NOT "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_DEBUG}" MATCHES "fsanitize")
    list(APPEND kernel_options -O3)
endif()

# add_kernel_objects(NAME OPTIONS…): an object library that becomes part of libptosim.
function(add_kernel_objects name sources)
    add_library(${name} OBJECT ${sources})
    add_dependencies(${name} ptosim_model) # makes the headers
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON
        C_VISIBILITY_PRESET hidden INTERPROCEDURAL_OPTIMIZATION OFF)
    target_compile_options(${name} PRIVATE ${kernel_options} ${ARGN})
    target_include_directories(${name} PRIVATE ${sim_includes})
    target_link_libraries(${name} PRIVATE project_warnings)
    target_sources(ptosim PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()

add_kernel_objects(ptosim_kernels "${kernel_sources}")
add_kernel_objects(ptosim_loops_plain "${loop_sources}" -DPTS_ISA=plain)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    target_compile_definitions(ptosim_kernels PRIVATE PTS_HAVE_X86_ISAS)
    add_kernel_objects(ptosim_loops_avx2 "${loop_sources}" -DPTS_ISA=avx2 -mavx2)
    add_kernel_objects(ptosim_loops_avx512 "${loop_sources}" -DPTS_ISA=avx512 -mavx512f -mavx512bw
                       -mavx512dq -mavx512vl -mprefer-vector-width=512)
endif()
