/* The Python type that keeps copies of tensors and tells how they have changed. */
#ifndef STETHO_COPIES_H
#define STETHO_COPIES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyTypeObject copies_type;

#endif
