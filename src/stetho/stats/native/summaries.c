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

/* Twin of Summary.row in stats/summary.py, and of table in stats/columns.py. */
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
