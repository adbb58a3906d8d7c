# For macOS with `zig cc`, an npm package (packaging/zig) that carries Apple's headers. Libraries come from
# scripts/foreign-libraries.sh. What is built is not run anywhere here. The file that includes this one sets `machine`.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR ${machine})
set(zig ${CMAKE_CURRENT_LIST_DIR}/../../packaging/zig)
set(CMAKE_C_COMPILER ${zig}/cc ${machine}-macos)
set(CMAKE_AR ${zig}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${zig}/ranlib CACHE FILEPATH "")
set(CMAKE_OSX_SYSROOT "" CACHE PATH "")
set(CMAKE_OSX_DEPLOYMENT_TARGET "" CACHE STRING "")

set(PYPTO_LINT_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../../build/libraries-macos-${machine} CACHE PATH
    "Made by scripts/foreign-libraries.sh macos-${machine}")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PYPTO_LINT_LIBRARIES)
set(CMAKE_FIND_ROOT_PATH ${PYPTO_LINT_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
