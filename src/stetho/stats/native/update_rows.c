/* Everything that is measured around one update of the parameters, as rows of the `stats` table in one buffer. */
#include "update_rows.h"

#include <math.h>

#include "copies.h"
#include "measuring.h"
#include "types.h"

struct update_rows {
    PyObject_HEAD
    struct copies copies;
    struct rows rows;
    PyObject *others; /* does the same, in Python, for tensors that we cannot read */
    int is_mixed;     /* it has some */
    int64_t place;    /* of the copy that is compared next */
};

/* Measure one tensor and add its row. 1: done; 0: left to the others; -1: an exception. */
typedef int add_one(struct update_rows *self, double series, PyObject *tensor, double *power);

static PyObject *update_rows_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    long long most;
    PyObject *others;
    if (named != NULL && PyDict_GET_SIZE(named) > 0)
        return PyErr_Format(PyExc_TypeError, "UpdateRows takes no keyword arguments");
    if (!PyArg_ParseTuple(arguments, "LO", &most, &others))
        return NULL;
    if (most < 1)
        return PyErr_Format(PyExc_ValueError, "a copy has at least one element, not %lld", most);
    struct update_rows *self = (struct update_rows *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->copies.most = most;
    self->others = Py_NewRef(others);
    return (PyObject *)self;
}

static int update_rows_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(((struct update_rows *)object)->others);
    return 0;
}

static int update_rows_drop(PyObject *object)
{
    Py_CLEAR(((struct update_rows *)object)->others);
    return 0;
}

static void update_rows_free(PyObject *object)
{
    struct update_rows *self = (struct update_rows *)object;
    PyObject_GC_UnTrack(object);
    update_rows_drop(object);
    rows_free(&self->rows);
    PyMem_Free(self->copies.buffer);
    Py_TYPE(object)->tp_free(object);
}

/* Put the series and the tensor at a place to those that are left to the others; -1 with an exception. */
static int leave(PyObject **left, PyObject *series, PyObject *tensors, Py_ssize_t at)
{
    if (*left == NULL)
        *left = Py_BuildValue("([][])");
    if (*left == NULL || PyList_Append(PyTuple_GET_ITEM(*left, 0), PyTuple_GET_ITEM(series, at)) < 0)
        return -1;
    return PyList_Append(PyTuple_GET_ITEM(*left, 1), PyTuple_GET_ITEM(tensors, at));
}

static int add_all(struct update_rows *self, PyObject *series, PyObject *tensors, add_one *add, double *power,
                   PyObject **left)
{
    int failed = rows_reserve(&self->rows, PyTuple_GET_SIZE(tensors)) < 0;
    PyObject *paused = failed ? NULL : modes_pause();
    for (Py_ssize_t at = 0; !failed && at < PyTuple_GET_SIZE(tensors); at++) {
        double number = PyFloat_AsDouble(PyTuple_GET_ITEM(series, at));
        int seen = number == -1 && PyErr_Occurred() ? -1 : add(self, number, PyTuple_GET_ITEM(tensors, at), power);
        failed = seen < 0 || (seen == 0 && leave(left, series, tensors, at) < 0);
    }
    modes_resume(paused);
    return failed ? -1 : 0;
}

/* Rows of (series, tensors). Gives the sum of the squares, or None where some are left to that method of the others. */
static PyObject *add_pairs(struct update_rows *self, PyObject *arguments, add_one *add, const char *method)
{
    PyObject *series, *tensors, *left = NULL, *done = NULL;
    Py_ssize_t before = self->rows.count;
    double power = 0;
    if (pairs_read(arguments, &series, &tensors) < 0)
        return NULL;
    if (add_all(self, series, tensors, add, &power, &left) < 0)
        self->rows.count = before;
    else if (left == NULL)
        done = PyFloat_FromDouble(power);
    else {
        self->is_mixed = 1;
        done = PyObject_CallMethod(self->others, method, "OO", PyTuple_GET_ITEM(left, 0), PyTuple_GET_ITEM(left, 1));
        if (done != NULL)
            Py_SETREF(done, Py_NewRef(Py_None));
    }
    Py_XDECREF(left);
    Py_DECREF(series);
    Py_DECREF(tensors);
    return done;
}

static int add_measured(struct update_rows *self, double series, PyObject *tensor, double *power)
{
    struct moments moments;
    int seen = tensor_measure(&moments, tensor);
    if (seen == 1) {
        rows_add(&self->rows, series, &moments, NAN);
        *power += moments_power(&moments);
    }
    return seen;
}

static int add_kept(struct update_rows *self, double series, PyObject *tensor, double *power)
{
    struct moments moments;
    int kept = copies_keep(&self->copies, tensor, &moments);
    if (kept == 1) {
        rows_add(&self->rows, series, &moments, NAN);
        *power += moments_power(&moments);
    }
    return kept;
}

/* Left out are those that have another form by now. */
static int add_change(struct update_rows *self, double series, PyObject *tensor, double *power)
{
    struct moments moments;
    const struct kept *kept = copies_at(&self->copies, self->place);
    self->place += kept_bytes(kept);
    if (kept->count < 0)
        return 0;
    int seen = copies_change(&self->copies, kept, tensor, &moments);
    if (seen == 1) {
        rows_add(&self->rows, series, &moments, kept->rms > 0 ? moments_rms(&moments) / kept->rms : NAN);
        *power += moments_power(&moments);
    }
    return seen < 0 ? -1 : 1;
}

static PyObject *update_rows_before(PyObject *object, PyObject *arguments)
{
    struct update_rows *self = (struct update_rows *)object;
    self->copies.used = 0;
    PyObject *done = add_pairs(self, arguments, add_kept, "before");
    if (done == NULL)
        self->copies.used = 0;
    return done;
}

static PyObject *update_rows_add(PyObject *object, PyObject *arguments)
{
    return add_pairs((struct update_rows *)object, arguments, add_measured, "add");
}

static PyObject *update_rows_changes(PyObject *object, PyObject *arguments)
{
    ((struct update_rows *)object)->place = 0;
    return add_pairs((struct update_rows *)object, arguments, add_change, "changes");
}

static PyObject *update_rows_clear(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    struct update_rows *self = (struct update_rows *)object;
    self->rows.count = 0;
    self->copies.used = 0;
    if (!self->is_mixed)
        Py_RETURN_NONE;
    self->is_mixed = 0;
    return PyObject_CallMethod(self->others, "clear", NULL);
}

static PyObject *update_rows_take(PyObject *object, PyObject *nothing)
{
    struct update_rows *self = (struct update_rows *)object;
    PyObject *rows = rows_bytes(&self->rows);
    if (rows != NULL && self->is_mixed)
        PyBytes_ConcatAndDel(&rows, PyObject_CallMethod(self->others, "take", NULL));
    PyObject *cleared = rows == NULL ? NULL : update_rows_clear(object, nothing);
    if (cleared == NULL)
        Py_CLEAR(rows);
    Py_XDECREF(cleared);
    return rows;
}

static PyMethodDef methods[] = {
    {"before", update_rows_before, METH_VARARGS,
     "before($self, series, tensors, /)\n--\n\nMeasure the parameters, and copy them or a sample of them."},
    {"add", update_rows_add, METH_VARARGS, "add($self, series, tensors, /)\n--\n\nMeasure other tensors."},
    {"changes", update_rows_changes, METH_VARARGS,
     "changes($self, series, tensors, /)\n--\n\nMeasure the parameters less their copies."},
    {"take", update_rows_take, METH_NOARGS, "take($self, /)\n--\n\nAll rows so far as bytes; nothing is kept."},
    {"clear", update_rows_clear, METH_NOARGS, "clear($self, /)\n--\n\nForget an update that never came to its end."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject update_rows_type = {
    TYPE_OF_MODULE("UpdateRows", struct update_rows, update_rows_free),
    .tp_doc = "UpdateRows(most, others, /)\n--\n\nMeasures tensors around an update; what it cannot read, others do.",
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_new = update_rows_new,
    .tp_traverse = update_rows_traverse,
    .tp_clear = update_rows_drop,
    .tp_methods = methods,
};
