#include "measuring.h"

#include <math.h>

#include "summaries.h"

int tensor_measure(struct moments *moments, PyObject *tensor)
{
    struct view view;
    int seen = view_open(&view, tensor);
    if (seen != 1)
        return seen;
    if (view_is_large(&view)) {
        Py_BEGIN_ALLOW_THREADS
        moments_of(moments, &view.layout);
        Py_END_ALLOW_THREADS
    } else {
        moments_of(moments, &view.layout);
    }
    view_close(&view);
    return 1;
}

int rows_reserve(struct rows *rows, Py_ssize_t more)
{
    Py_ssize_t room = rows->count + more;
    if (room <= rows->room)
        return 0;
    double *grown = PyMem_Realloc(rows->all, (size_t)room * COLUMNS * sizeof *grown);
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    rows->all = grown;
    rows->room = room;
    return 0;
}

void rows_add(struct rows *rows, double series, const struct moments *moments, double ratio)
{
    row_write(rows->all + rows->count++ * COLUMNS, series, 1, moments, ratio);
}

PyObject *rows_bytes(const struct rows *rows)
{
    return PyBytes_FromStringAndSize((const char *)rows->all, rows->count * COLUMNS * (Py_ssize_t)sizeof(double));
}

void rows_free(struct rows *rows)
{
    PyMem_Free(rows->all);
    *rows = (struct rows){0};
}

double moments_rms(const struct moments *moments)
{
    double finite = (double)(moments->elements - moments->nans - moments->infs);
    double squares = moments->squares > 0 ? moments->squares : 0;
    return finite == 0 ? NAN : sqrt(moments->mean * moments->mean + squares / finite);
}

int pairs_read(PyObject *arguments, PyObject **series, PyObject **tensors)
{
    PyObject *numbers, *given;
    *series = *tensors = NULL;
    if (!is_configured() || !PyArg_ParseTuple(arguments, "OO", &numbers, &given))
        return -1;
    /* Ours: nobody changes them while other threads run. */
    *series = PySequence_Tuple(numbers);
    *tensors = *series == NULL ? NULL : PySequence_Tuple(given);
    if (*tensors != NULL && PyTuple_GET_SIZE(*series) != PyTuple_GET_SIZE(*tensors))
        PyErr_Format(PyExc_ValueError, "%zd series for %zd tensors", PyTuple_GET_SIZE(*series),
                     PyTuple_GET_SIZE(*tensors));
    if (*tensors != NULL && !PyErr_Occurred())
        return 0;
    Py_CLEAR(*series);
    Py_CLEAR(*tensors);
    return -1;
}

static double view_power(const struct view *view)
{
    double power;
    if (!view_is_large(view))
        return power_of(&view->layout);
    Py_BEGIN_ALLOW_THREADS
    power = power_of(&view->layout);
    Py_END_ALLOW_THREADS
    return power;
}

/* Adds the squares of one tensor: 1 if it could be read, 0 if not, -1 with an exception. */
static int power_add(double *power, PyObject *tensor)
{
    struct view view;
    int seen = view_open(&view, tensor);
    if (seen == 1) {
        *power += view_power(&view);
        view_close(&view);
    }
    return seen;
}

/* The same for the gradient of a parameter; one that is not there is counted as read, but not as one of `found`. */
static int gradient_add(double *power, Py_ssize_t *found, PyObject *parameter)
{
    PyObject *gradient = PyObject_GetAttr(parameter, names.grad);
    if (gradient == NULL || gradient == Py_None) {
        Py_XDECREF(gradient);
        return gradient == NULL ? -1 : 1;
    }
    /* Asked for a sparse tensor's memory, torch raises, and that takes longer than most steps. */
    PyObject *layout = PyObject_GetAttr(gradient, names.layout);
    int seen = layout == NULL ? -1 : layout != torch.strided ? 0 : power_add(power, gradient);
    Py_XDECREF(layout);
    Py_DECREF(gradient);
    ++*found;
    return seen;
}

PyObject *gradient_power(PyObject *module, PyObject *given)
{
    (void)module;
    double power = 0;
    Py_ssize_t found = 0;
    int seen = 1;
    PyObject *parameters = is_configured() ? PySequence_Tuple(given) : NULL;
    if (parameters == NULL)
        return NULL;
    PyObject *paused = modes_pause();
    for (Py_ssize_t at = 0; seen == 1 && at < PyTuple_GET_SIZE(parameters); at++)
        seen = gradient_add(&power, &found, PyTuple_GET_ITEM(parameters, at));
    modes_resume(paused);
    Py_DECREF(parameters);
    if (seen < 0)
        return NULL;
    return seen == 1 && found > 0 ? PyFloat_FromDouble(power) : Py_NewRef(Py_None);
}

PyObject *sum_of_squares(PyObject *module, PyObject *given)
{
    (void)module;
    double power = 0;
    int seen = 1;
    PyObject *tensors = is_configured() ? PySequence_Tuple(given) : NULL;
    if (tensors == NULL)
        return NULL;
    PyObject *paused = modes_pause();
    for (Py_ssize_t at = 0; seen == 1 && at < PyTuple_GET_SIZE(tensors); at++)
        seen = power_add(&power, PyTuple_GET_ITEM(tensors, at));
    modes_resume(paused);
    Py_DECREF(tensors);
    if (seen < 0)
        return NULL;
    return seen == 1 ? PyFloat_FromDouble(power) : Py_NewRef(Py_None);
}
