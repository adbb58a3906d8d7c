# For 64-bit ARM with Debian's cross compiler; libraries and headers come from scripts/sysroot.sh, and what is built
# runs under qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)

set(PYPTO_LINT_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot-arm64 CACHE PATH "Made by scripts/sysroot.sh")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PYPTO_LINT_SYSROOT)
file(REAL_PATH ${PYPTO_LINT_SYSROOT} CMAKE_SYSROOT)
if(NOT EXISTS ${CMAKE_SYSROOT}/.packages)
    message(FATAL_ERROR "No sysroot in ${CMAKE_SYSROOT}: scripts/sysroot.sh ${CMAKE_SYSROOT}")
endif()
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${CMAKE_SYSROOT})
