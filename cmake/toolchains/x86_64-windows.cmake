# For 64-bit Windows with Debian's mingw-w64; libraries and headers come from scripts/foreign-libraries.sh, and what
# is built runs under Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

set(PYPTO_LINT_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../../build/libraries-windows CACHE PATH
    "Made by scripts/foreign-libraries.sh windows")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PYPTO_LINT_LIBRARIES)
set(CMAKE_FIND_ROOT_PATH ${PYPTO_LINT_LIBRARIES} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
