/* Moments as the Python type that holds them. */
#ifndef STETHO_SUMMARIES_H
#define STETHO_SUMMARIES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "moments.h"

/* A subclass of tuple with eight items, given by Python once. */
extern PyTypeObject *summary_type;

/* Whether it was given; if not, an exception is set. */
int is_configured(void);

PyObject *summary_new(const struct moments *moments);

enum { COLUMNS = 13 };

/* A row of the `stats` table. */
void row_write(double *row, double series, double calls, const struct moments *moments, double ratio);

#endif
