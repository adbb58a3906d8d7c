# Run by each build: writes OUTPUT, a header with the commit of SOURCE, unless it says so already. A copy
# that is no checkout of its own (an archive, a folder within another repository) has none, unless it is given
# as COMMIT.
cmake_minimum_required(VERSION 3.25)
if(NOT COMMIT)
    find_program(GIT git)
    if(GIT)
        execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-prefix
            RESULT_VARIABLE status OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(status EQUAL 0 AND prefix STREQUAL "")
            execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --exclude=* --abbrev=40 --dirty=+
                OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        endif()
    endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define PYPTO_LINT_COMMIT \"@COMMIT@\"\n" @ONLY)
