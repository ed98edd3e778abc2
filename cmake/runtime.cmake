# The runtime of instrumented programs (runtime/proviso_runtime.c) becomes a part of the library, as
# text. Sets PROVISO_RUNTIME_SOURCE, a generated C file.
set(PROVISO_RUNTIME_SOURCE ${CMAKE_BINARY_DIR}/runtime_embed.c)
set(PROVISO_RUNTIME ${CMAKE_SOURCE_DIR}/runtime/proviso_runtime.c)
configure_file(${CMAKE_SOURCE_DIR}/cmake/runtime_embed.c.in ${PROVISO_RUNTIME_SOURCE} @ONLY)
set_source_files_properties(${PROVISO_RUNTIME_SOURCE} PROPERTIES OBJECT_DEPENDS ${PROVISO_RUNTIME})
