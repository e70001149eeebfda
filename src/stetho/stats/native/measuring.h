/* A tensor in, its moments out; and many of them as rows of the `stats` table. */
#ifndef STETHO_MEASURING_H
#define STETHO_MEASURING_H

#include "moments.h"
#include "tensors.h"

/* 1: measured; 0: none of the tensors that we can read; -1: an exception. */
int tensor_measure(struct moments *moments, PyObject *tensor);

/* Rows that are being put together. */
struct rows {
    PyObject *bytes;  /* bytearray with room for all of them */
    PyObject *unread; /* list of the places of those that we cannot read */
    Py_ssize_t count;
    double power;     /* sum of the squares of all elements; not finite as soon as one of them is not */
};

/* For so many tensors at most; -1 with an exception. */
int rows_open(struct rows *rows, Py_ssize_t most);

void rows_add(struct rows *rows, double series, const struct moments *moments, double ratio);

/* -1 with an exception. */
int rows_skip(struct rows *rows, Py_ssize_t place);

/* (rows as bytes, places that were skipped, power), or NULL when `failed` or with an exception of its own. */
PyObject *rows_close(struct rows *rows, int failed);

/* Root mean square of the finite elements; NaN when there are none. */
double moments_rms(const struct moments *moments);

/* The arguments (series, tensors) as two new tuples of the same length; -1 with an exception. */
int pairs_read(PyObject *arguments, PyObject **series, PyObject **tensors);

/* sum_of_squares(tensors): NaN or infinite when an element is; None when one of the tensors cannot be read. */
PyObject *sum_of_squares(PyObject *module, PyObject *tensors);

/* gradient_power(parameters): the same of their gradients; None also when none of them has one. */
PyObject *gradient_power(PyObject *module, PyObject *parameters);

/* measure_rows(series, tensors): what rows_close gives. */
PyObject *measure_rows(PyObject *module, PyObject *arguments);

#endif
