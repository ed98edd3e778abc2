# What is installed: the command, the library (shared, with the public functions alone), its header,
# a file for pkg-config, manual pages, completions, documents and the bindings for Python. And the
# packages: `cpack -G DEB`, and `cpack -G TGZ`, which runs from any directory.
include(GNUInstallDirs)
# The shared library shows what the header declares, and nothing else.
file(STRINGS include/proviso.h declarations REGEX "[ *]proviso_[a-z_]+\\(")
set(exported "")
foreach(declaration ${declarations})
  string(REGEX MATCH "proviso_[a-z_]+\\(" name "${declaration}")
  string(REPLACE "(" ";\n" name "${name}")
  string(APPEND exported "    ${name}")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS include/proviso.h)
set(map ${CMAKE_BINARY_DIR}/proviso.map)
file(CONFIGURE OUTPUT ${map} CONTENT "PROVISO_1 {\n  global:\n${exported}  local: *;\n};\n")
file(WRITE ${CMAKE_BINARY_DIR}/empty.c "extern int proviso_no_code;\n")
add_library(proviso_shared SHARED ${CMAKE_BINARY_DIR}/empty.c)
set_target_properties(proviso_shared PROPERTIES OUTPUT_NAME proviso VERSION ${PROJECT_VERSION}
  SOVERSION 0 LINK_DEPENDS ${map})
target_link_libraries(proviso_shared PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,libproviso>")
target_link_options(proviso_shared PRIVATE
  "-Wl,--version-script=${map}" -Wl,--as-needed -Wl,--gc-sections)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_link_options(proviso_shared PRIVATE -fno-lto)
endif()

# ---- what the command prints about itself --------------------------------------------------------
set(about ${CMAKE_BINARY_DIR}/about)
set(pages ${about}/man1/proviso.1 ${about}/completion.bash ${about}/completion.zsh ${about}/completion.fish)
add_custom_command(OUTPUT ${pages} DEPENDS proviso cmake/about.sh VERBATIM
  COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/about.sh $<TARGET_FILE:proviso> ${about}
  COMMENT "Writing manual pages and completions")
add_custom_target(about ALL DEPENDS ${pages})

configure_file(cmake/proviso.pc.in ${CMAKE_BINARY_DIR}/proviso.pc @ONLY)
install(TARGETS proviso proviso_shared RUNTIME LIBRARY)
install(FILES include/proviso.h TYPE INCLUDE)
install(FILES include/proviso_events.h TYPE INCLUDE OPTIONAL)
install(FILES ${CMAKE_BINARY_DIR}/proviso.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY ${about}/man1 TYPE MAN)
install(FILES ${about}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME proviso)
install(FILES ${about}/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  RENAME _proviso)
install(FILES ${about}/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  RENAME proviso.fish)
install(FILES contrib/python/proviso.py DESTINATION ${CMAKE_INSTALL_DATADIR}/proviso)
install(FILES README.md LICENSE TYPE DOC)
install(DIRECTORY docs examples TYPE DOC)

# ---- packages ------------------------------------------------------------------------------------
set(CPACK_PACKAGE_NAME proviso)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "software model checker for C")
set(CPACK_PACKAGE_DESCRIPTION
  "Checks C programs, also with threads, for errors, and says under which condition the verdict holds.")
set(CPACK_PACKAGE_CONTACT "the authors of proviso <proviso@example.org>")
set(CPACK_PACKAGE_VENDOR proviso)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS graphviz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/package.cmake)
include(CPack)
