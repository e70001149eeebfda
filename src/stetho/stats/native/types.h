/* What all Python types of this module have: a name in it, the size of their objects, and a way to free them. */
#ifndef STETHO_TYPES_H
#define STETHO_TYPES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define TYPE_OF_MODULE(name, object, free)                                                                             \
    PyVarObject_HEAD_INIT(NULL, 0)                                                                                     \
    .tp_name = "stetho.stats._native." name, .tp_basicsize = sizeof(object), .tp_dealloc = (free)

#endif
