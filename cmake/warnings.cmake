# Warnings for our own sources; third-party code is compiled without. They are errors where we develop
# (the presets set PYPTO_LINT_WERROR), not where somebody builds a release with another compiler.
add_library(project_warnings INTERFACE)
target_compile_options(project_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes
    -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef -Wformat=2
    -Wno-format-nonliteral $<$<BOOL:${PYPTO_LINT_WERROR}>:-Werror>)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 15)
    # Our integer constants have names in an enum; newer versions warn of each that meets a double, though nothing is lost.
    target_compile_options(project_warnings INTERFACE -Wno-enum-float-conversion)
endif()
target_compile_definitions(project_warnings INTERFACE _GNU_SOURCE)
if(WIN32)
    # mingw's isnan() and the like narrow their argument, and it takes formats for those of Microsoft's library.
    target_compile_options(project_warnings INTERFACE -Wno-float-conversion -Wno-format -Wno-format-extra-args)
endif()
