# install_library(NAME VERSION LIBS HEADER…): `cmake --install` puts lib<NAME>.a, the headers (into
# include/<NAME>), a CMake package <NAME> with the target <NAME>::<NAME>, and lib<NAME>.pc into place. LIBS: what
# a program links besides, as on a linker's command line; CMake's part finds -pthread as Threads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(install_library_templates ${CMAKE_CURRENT_LIST_DIR})

function(install_library name version libs)
    set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
    set(needs_threads FALSE)
    if(libs MATCHES "-pthread")
        set(needs_threads TRUE)
    endif()
    string(REGEX REPLACE "[^/]+" ".." up ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    configure_file(${install_library_templates}/library-config.cmake.in ${name}-config.cmake @ONLY)
    configure_file(${install_library_templates}/library.pc.in lib${name}.pc @ONLY)
    write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/${name}-config-version.cmake
        VERSION ${version} COMPATIBILITY SameMinorVersion)
    install(TARGETS ${name} EXPORT ${name}-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
            INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT ${name}-targets NAMESPACE ${name}:: DESTINATION ${package_dir})
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}-config.cmake
            ${CMAKE_CURRENT_BINARY_DIR}/${name}-config-version.cmake DESTINATION ${package_dir})
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    install(FILES ${ARGN} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${name})
    if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${name} PRIVATE -ffat-lto-objects) # for other linkers and compilers, too
    endif()
endfunction()
