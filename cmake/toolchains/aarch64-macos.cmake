# For macOS on Apple silicon.
set(machine aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/macos.cmake)
