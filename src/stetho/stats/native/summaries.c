#include "summaries.h"

#include <math.h>

PyTypeObject *summary_type;

int is_configured(void)
{
    if (summary_type == NULL)
        PyErr_SetString(PyExc_RuntimeError, "the native kernel was not configured; call configure first");
    return summary_type != NULL;
}

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

/* Twin of Summary.row in stats/summary.py. */
void row_write(double *row, double series, double calls, const struct moments *moments, double ratio)
{
    double finite = (double)(moments->elements - moments->nans - moments->infs);
    row[0] = series;
    row[1] = calls;
    row[2] = (double)moments->elements;
    row[3] = (double)moments->nans;
    row[4] = (double)moments->infs;
    row[5] = (double)moments->zeros;
    row[12] = ratio;
    if (finite == 0) {
        for (int at = 6; at < 12; at++)
            row[at] = NAN;
        return;
    }
    double low = moments->low, high = moments->high, mean = moments->mean;
    double variance = moments->squares > 0 ? moments->squares / finite : 0;
    row[6] = low;
    row[7] = high;
    row[8] = mean;
    row[9] = sqrt(variance);
    row[10] = sqrt(mean * mean + variance);
    row[11] = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
}

/* A summary back to what it was made of; whatever is in the tuple, no number leaves the range of its type. */
static int summary_read(struct moments *moments, PyObject *tuple)
{
    double numbers[8];
    int64_t *counts[4] = {&moments->elements, &moments->nans, &moments->infs, &moments->zeros};
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != 8) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple of 8 items");
        return -1;
    }
    for (int at = 0; at < 4; at++) {
        *counts[at] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, at));
        if (*counts[at] == -1 && PyErr_Occurred())
            return -1;
    }
    for (int at = 4; at < 8; at++) {
        numbers[at] = PyFloat_AsDouble(PyTuple_GET_ITEM(tuple, at));
        if (numbers[at] == -1 && PyErr_Occurred())
            return -1;
    }
    moments->low = numbers[4];
    moments->high = numbers[5];
    moments->mean = numbers[6];
    moments->squares = numbers[7];
    return 0;
}

static int read_row(double *row, PyObject *item)
{
    if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 4) {
        PyErr_SetString(PyExc_TypeError, "expected (series, calls, summary, ratio)");
        return -1;
    }
    struct moments moments;
    double series = PyFloat_AsDouble(PyTuple_GET_ITEM(item, 0));
    double calls = PyFloat_AsDouble(PyTuple_GET_ITEM(item, 1)), ratio = PyFloat_AsDouble(PyTuple_GET_ITEM(item, 3));
    if (PyErr_Occurred() || summary_read(&moments, PyTuple_GET_ITEM(item, 2)) < 0)
        return -1;
    row_write(row, series, calls, &moments, ratio);
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
