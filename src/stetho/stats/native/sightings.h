/* Tensors that were seen, one after another, each memory measured once for as long as nobody writes to it. */
#ifndef STETHO_SIGHTINGS_H
#define STETHO_SIGHTINGS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyTypeObject sightings_type;

#endif
