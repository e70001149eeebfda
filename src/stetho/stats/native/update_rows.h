/* Tensors around an update of the parameters: before it, and what has changed after it. */
#ifndef STETHO_UPDATE_ROWS_H
#define STETHO_UPDATE_ROWS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyTypeObject update_rows_type;

#endif
