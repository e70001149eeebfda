/* What was measured on layers in a step: one record for each layer, role and pass. */
#ifndef STETHO_RECORDS_H
#define STETHO_RECORDS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "moments.h"

enum role { OUTPUT, GRADIENT, ROLES };

enum phase { TRAIN, EVAL, PHASES };

/* A layer as we know it. */
struct cell {
    PyObject_HEAD
    PyObject *module; /* a weak reference: the program's own modules are not kept */
    PyObject *layer;
    int is_entry; /* called from outside, and followed by hooks of its own */
    long long calls;
    double series[ROLES][PHASES]; /* below zero until it was asked for */
    Py_ssize_t last[ROLES];       /* place of its last record */
    Py_ssize_t row[ROLES][PHASES];
};

struct record {
    struct cell *cell;
    PyObject *pass;
    enum role role;
    long long calls;
    struct moments moments;
};

struct records {
    struct record *all;
    Py_ssize_t count;
    Py_ssize_t room;
};

extern PyTypeObject cell_type;

extern const char *const ROLE_NAMES[ROLES];

struct cell *cell_new(PyObject *module, PyObject *layer, int is_entry);

/* Put a measurement to those of the same layer, role and pass; -1 with an exception. */
int records_add(struct records *records, struct cell *cell, enum role role, PyObject *pass,
                const struct moments *moments);

/* Rows of the `stats` table of one pass, or of all of them where it is NULL: bytes. The records stay. */
PyObject *records_rows(struct records *records, PyObject *pass, PyObject *owner);

/* The same as a list of (layer, role, pass, calls, summary). */
PyObject *records_items(const struct records *records, PyObject *pass);

/* Forget the records of one pass, or all of them where it is NULL. */
void records_forget(struct records *records, PyObject *pass);

#endif
