/* Moments as the Python type that holds them. */
#ifndef STETHO_SUMMARIES_H
#define STETHO_SUMMARIES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "moments.h"

/* A subclass of tuple with eight items, given by Python once. */
extern PyTypeObject *summary_type;

PyObject *summary_new(const struct moments *moments);

/* Rows of the `stats` table from (series, calls, summary, ratio): a bytearray of 64-bit numbers, thirteen to a row. */
PyObject *summary_rows(PyObject *module, PyObject *items);

#endif
