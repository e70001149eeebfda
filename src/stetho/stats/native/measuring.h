/* A tensor in, its moments out; and many of them as rows of the `stats` table. */
#ifndef STETHO_MEASURING_H
#define STETHO_MEASURING_H

#include "moments.h"
#include "tensors.h"

/* 1: measured; 0: none of the tensors that we can read; -1: an exception. */
int tensor_measure(struct moments *moments, PyObject *tensor);

/* Rows that are being put together. */
struct rows {
    double *all;
    Py_ssize_t count;
    Py_ssize_t room;
};

/* Make room for so many more; -1 with an exception. */
int rows_reserve(struct rows *rows, Py_ssize_t more);

/* For that there must be room. */
void rows_add(struct rows *rows, double series, const struct moments *moments, double ratio);

/* All of them as bytes; they stay. */
PyObject *rows_bytes(const struct rows *rows);

void rows_free(struct rows *rows);

/* Root mean square of the finite elements; NaN when there are none. */
double moments_rms(const struct moments *moments);

/* The arguments (series, tensors) as two new tuples of the same length; -1 with an exception. */
int pairs_read(PyObject *arguments, PyObject **series, PyObject **tensors);

/* sum_of_squares(tensors): NaN or infinite when an element is; None when one of the tensors cannot be read. */
PyObject *sum_of_squares(PyObject *module, PyObject *tensors);

/* gradient_power(parameters): the same of their gradients; None also when none of them has one. */
PyObject *gradient_power(PyObject *module, PyObject *parameters);

#endif
