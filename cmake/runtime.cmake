# The runtime of instrumented programs (runtime/proviso_runtime.c) becomes a part of the library, as
# one text: the files that it includes by "..." are put in the places of these lines. Sets
# PROVISO_RUNTIME_SOURCE, a generated C file.
set(PROVISO_RUNTIME_SOURCE ${CMAKE_BINARY_DIR}/runtime_embed.c)
set(PROVISO_RUNTIME ${CMAKE_BINARY_DIR}/proviso_runtime.c)
set(runtime_parts ${CMAKE_SOURCE_DIR}/runtime/proviso_runtime.c)
file(READ ${runtime_parts} runtime_text)
while(runtime_text MATCHES "#include \"([^\"]+)\"\n")
  set(line "${CMAKE_MATCH_0}")
  set(part ${CMAKE_SOURCE_DIR}/runtime/${CMAKE_MATCH_1})
  if(NOT EXISTS ${part})
    set(part ${CMAKE_SOURCE_DIR}/src/${CMAKE_MATCH_1})
  endif()
  file(READ ${part} part_text)
  string(REPLACE "${line}" "${part_text}" runtime_text "${runtime_text}")
  list(APPEND runtime_parts ${part})
endwhile()
file(CONFIGURE OUTPUT ${PROVISO_RUNTIME} CONTENT "@runtime_text@" @ONLY) # written only if it changes
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${runtime_parts})
configure_file(${CMAKE_SOURCE_DIR}/cmake/runtime_embed.c.in ${PROVISO_RUNTIME_SOURCE} @ONLY)
set_source_files_properties(${PROVISO_RUNTIME_SOURCE} PROPERTIES OBJECT_DEPENDS ${PROVISO_RUNTIME})
