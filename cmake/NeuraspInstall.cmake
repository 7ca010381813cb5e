# `cmake --install`: the library with its headers, the command with its shell completions, and the files that
# find_package(neurasp) needs.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/neurasp)

install(TARGETS neurasp EXPORT neuraspTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/neurasp ${PROJECT_BINARY_DIR}/include/neurasp
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.hpp")

# The library with LibTorch, on request: find_package(neurasp COMPONENTS torch).
if(TARGET neurasp_torch)
    set_target_properties(neurasp_torch PROPERTIES EXPORT_NAME torch)
    set_target_properties(neurasp_libtorch PROPERTIES EXPORT_NAME libtorch)
    install(TARGETS neurasp_torch neurasp_libtorch EXPORT neuraspTorchTargets)
    install(EXPORT neuraspTorchTargets NAMESPACE neurasp:: DESTINATION ${package_dir})
endif()

install(EXPORT neuraspTargets NAMESPACE neurasp:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/neuraspConfig.cmake.in
    ${PROJECT_BINARY_DIR}/neuraspConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/neuraspConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/neuraspConfig.cmake
    ${PROJECT_BINARY_DIR}/neuraspConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/FindClingo.cmake
    DESTINATION ${package_dir})

if(TARGET neurasp_cli)
    install(TARGETS neurasp_cli)
    if(TARGET neurasp_cli_torch)
        install(TARGETS neurasp_cli_torch)
        install(DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/neurasp/stand-ins
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/neurasp)
    endif()
    set(completions ${PROJECT_SOURCE_DIR}/src/cli/completions)
    install(FILES ${completions}/neurasp.bash RENAME neurasp OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${completions}/_neurasp OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${completions}/neurasp.fish OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
