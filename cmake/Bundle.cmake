# The parts of LLVM that an installation carries: one copy of the shared libraries, and the tool that user passes need.

# Installs the file of an imported target, stripped, under the name that the dynamic linker looks for.
function(disc_bundle target destination)
  get_target_property(file ${target} LOCATION)
  get_filename_component(name "${file}" NAME)
  file(REAL_PATH "${file}" file)
  install(PROGRAMS "${file}" DESTINATION ${destination} RENAME ${name})
  install(CODE "execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${destination}/${name}\" COMMAND_ERROR_IS_FATAL ANY)")
endfunction()

foreach(_library ${DISC_MLIR_LIBS})
  disc_bundle(${_library} disc/lib)
endforeach()
disc_bundle(mlir-pdll disc/bin)

# In the build tree the same tool stands beside ours.
get_target_property(MLIR_PDLL_EXE mlir-pdll LOCATION)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
file(CREATE_LINK ${MLIR_PDLL_EXE} ${CMAKE_BINARY_DIR}/bin/mlir-pdll SYMBOLIC)
