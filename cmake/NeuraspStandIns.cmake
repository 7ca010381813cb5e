# A folder of empty libraries that take the place of those that LibTorch names but does not use: loading them takes as
# long as loading LibTorch itself (docs/adr/0005-two-binaries.md). src/cli/hand_over.cpp puts the folder first on the
# dynamic linker's path. NEURASP_STAND_INS is the way there from the folder of the command, built or installed.

set(NEURASP_STAND_INS ../${CMAKE_INSTALL_LIBDIR}/neurasp/stand-ins)
set(folder ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/neurasp/stand-ins)

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/stand_in.cpp CONTENT "")
add_library(neurasp_stand_in MODULE ${PROJECT_BINARY_DIR}/stand_in.cpp)
# Nothing is in it and nothing is needed by it, so that several names for it cost nothing.
target_link_options(neurasp_stand_in PRIVATE -nostdlib -fno-sanitize=all)

# LibTorch, and what else neurasp-torch loads.
set(libraries "")
foreach(library IN ITEMS torch_cpu c10 Clingo::Clingo fmt::fmt PNG::PNG JPEG::JPEG ZLIB::ZLIB)
    list(APPEND libraries $<TARGET_FILE:${library}>)
endforeach()
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/stand_ins.stamp
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/make_stand_ins ${folder} $<TARGET_FILE:neurasp_stand_in>
        ${libraries}
    COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/stand_ins.stamp
    DEPENDS neurasp_stand_in ${PROJECT_SOURCE_DIR}/cmake/make_stand_ins
        ${PROJECT_SOURCE_DIR}/cmake/unused_libraries
    COMMENT "Looking which libraries LibTorch does not use"
    VERBATIM)
add_custom_target(neurasp_stand_ins DEPENDS ${PROJECT_BINARY_DIR}/stand_ins.stamp)
