#include "summaries.h"

#include <math.h>

PyTypeObject *summary_type;

PyObject *summary_new(const struct moments *moments)
{
    PyObject *made = summary_type->tp_alloc(summary_type, 8);
    if (made == NULL)
        return NULL;
    PyTuple_SET_ITEM(made, 0, PyLong_FromLongLong(moments->elements));
    PyTuple_SET_ITEM(made, 1, PyLong_FromLongLong(moments->nans));
    PyTuple_SET_ITEM(made, 2, PyLong_FromLongLong(moments->infs));
    PyTuple_SET_ITEM(made, 3, PyLong_FromLongLong(moments->zeros));
    PyTuple_SET_ITEM(made, 4, PyFloat_FromDouble(moments->low));
    PyTuple_SET_ITEM(made, 5, PyFloat_FromDouble(moments->high));
    PyTuple_SET_ITEM(made, 6, PyFloat_FromDouble(moments->mean));
    PyTuple_SET_ITEM(made, 7, PyFloat_FromDouble(moments->squares));
    for (int at = 0; at < 8; at++)
        if (PyTuple_GET_ITEM(made, at) == NULL) {
            Py_DECREF(made);
            return NULL;
        }
    return made;
}

enum { COLUMNS = 13 };

/* Twin of Summary.row in stats/summary.py. */
static void write_row(double *row, double series, double calls, const double *numbers, double ratio)
{
    double finite = numbers[0] - numbers[1] - numbers[2];
    row[0] = series;
    row[1] = calls;
    for (int at = 0; at < 4; at++)
        row[2 + at] = numbers[at];
    row[12] = ratio;
    if (finite == 0) {
        for (int at = 6; at < 12; at++)
            row[at] = NAN;
        return;
    }
    double low = numbers[4], high = numbers[5], mean = numbers[6];
    double variance = numbers[7] > 0 ? numbers[7] / finite : 0;
    row[6] = low;
    row[7] = high;
    row[8] = mean;
    row[9] = sqrt(variance);
    row[10] = sqrt(mean * mean + variance);
    row[11] = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
}

static int read_numbers(double *numbers, PyObject *tuple, Py_ssize_t count)
{
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != count) {
        PyErr_Format(PyExc_TypeError, "expected a tuple of %zd items", count);
        return -1;
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        numbers[at] = PyFloat_AsDouble(PyTuple_GET_ITEM(tuple, at));
        if (numbers[at] == -1 && PyErr_Occurred())
            return -1;
    }
    return 0;
}

static int read_row(double *row, PyObject *item)
{
    if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 4) {
        PyErr_SetString(PyExc_TypeError, "expected (series, calls, summary, ratio)");
        return -1;
    }
    double numbers[8], series = PyFloat_AsDouble(PyTuple_GET_ITEM(item, 0));
    double calls = PyFloat_AsDouble(PyTuple_GET_ITEM(item, 1)), ratio = PyFloat_AsDouble(PyTuple_GET_ITEM(item, 3));
    if (PyErr_Occurred() || read_numbers(numbers, PyTuple_GET_ITEM(item, 2), 8) < 0)
        return -1;
    write_row(row, series, calls, numbers, ratio);
    return 0;
}

PyObject *summary_rows(PyObject *module, PyObject *items)
{
    (void)module;
    PyObject *sequence = PySequence_Tuple(items);
    if (sequence == NULL)
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(sequence), bytes = COLUMNS * (Py_ssize_t)sizeof(double);
    PyObject *rows = PyByteArray_FromStringAndSize(NULL, count * bytes);
    for (Py_ssize_t at = 0; rows != NULL && at < count; at++) {
        double row[COLUMNS];
        if (read_row(row, PyTuple_GET_ITEM(sequence, at)) < 0)
            Py_CLEAR(rows);
        else
            memcpy(PyByteArray_AS_STRING(rows) + at * bytes, row, (size_t)bytes);
    }
    Py_DECREF(sequence);
    return rows;
}
