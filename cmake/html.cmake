# The frame, style and script of the page that --report writes become a part of the library. Sets
# PROVISO_HTML_SOURCE, a generated C file.
file(GLOB html_parts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/report/html/*)
set(HTML_EMBEDDED "")
set(HTML_LISTED "")
foreach(part ${html_parts})
  get_filename_component(name ${part} NAME)
  string(MAKE_C_IDENTIFIER "html_${name}" symbol)
  string(APPEND HTML_EMBEDDED "EMBED_FILE(${symbol}, \"${part}\")\n")
  string(APPEND HTML_LISTED "    {\"${name}\", ${symbol}},\n")
endforeach()
set(PROVISO_HTML_SOURCE ${CMAKE_BINARY_DIR}/html_embed.c)
configure_file(${CMAKE_SOURCE_DIR}/cmake/html_embed.c.in ${PROVISO_HTML_SOURCE} @ONLY)
set_source_files_properties(${PROVISO_HTML_SOURCE} PROPERTIES OBJECT_DEPENDS "${html_parts}")
