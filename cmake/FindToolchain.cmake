# Finds LLVM/MLIR 22: -DMLIR_DIR=... where given, else the pip packages of the running Python.
# The version is written in pyproject.toml alone, as the pinned build requirement.
file(STRINGS "${CMAKE_SOURCE_DIR}/pyproject.toml" _pin REGEX "xtc-mlir-dev==")
string(REGEX REPLACE ".*xtc-mlir-dev==([0-9]+)\\..*" "\\1" DISC_LLVM_VERSION "${_pin}")

if(NOT MLIR_DIR)
  # Along sys.path: in pip's isolated builds the packages are not in site-packages.
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -c
      "import os, sys; print(next((p for p in sys.path if os.path.exists(p + '/mlir/lib/cmake/mlir/MLIRConfig.cmake')), ''))"
    OUTPUT_VARIABLE _packages OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(_packages)
    set(MLIR_DIR "${_packages}/mlir/lib/cmake/mlir" CACHE PATH "MLIR's CMake package")
    set(LLVM_DIR "${_packages}/llvm/lib/cmake/llvm" CACHE PATH "LLVM's CMake package")
  endif()
endif()
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL DISC_LLVM_VERSION)
  message(FATAL_ERROR "disc needs LLVM ${DISC_LLVM_VERSION}, found ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}; "
    "set -DMLIR_DIR=<llvm>/lib/cmake/mlir to another installation")
endif()

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
separate_arguments(_defs NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${_defs})
# One copy of MLIR: everything links the shared libraries.
set(DISC_MLIR_LIBS MLIR LLVM)
