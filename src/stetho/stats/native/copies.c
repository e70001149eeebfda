#include "copies.h"

#include <math.h>

#include "changes.h"
#include "measuring.h"
#include "types.h"

/* One buffer for all copies. It is kept from step to step: asking the system for memory costs more than the copies. */
struct copies {
    PyObject_HEAD
    int64_t most; /* elements of a copy; a larger tensor is sampled */
    char *buffer;
    int64_t capacity;
    int64_t used;
};

static PyObject *copies_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    long long most;
    if (named != NULL && PyDict_GET_SIZE(named) > 0)
        return PyErr_Format(PyExc_TypeError, "Copies takes no keyword arguments");
    if (!PyArg_ParseTuple(arguments, "L", &most))
        return NULL;
    if (most < 1)
        return PyErr_Format(PyExc_ValueError, "a copy has at least one element, not %lld", most);
    struct copies *self = (struct copies *)type->tp_alloc(type, 0);
    if (self != NULL)
        self->most = most;
    return (PyObject *)self;
}

static void copies_free(PyObject *object)
{
    PyMem_Free(((struct copies *)object)->buffer);
    Py_TYPE(object)->tp_free(object);
}

static int reserve(struct copies *self, int64_t bytes)
{
    if (self->used + bytes <= self->capacity)
        return 0;
    int64_t capacity = 2 * (self->used + bytes);
    char *grown = PyMem_Realloc(self->buffer, (size_t)capacity);
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->buffer = grown;
    self->capacity = capacity;
    return 0;
}

static int is_kept(const struct layout *layout)
{
    int is_floating = layout->kind == F32 || layout->kind == F64 || layout->kind == F16 || layout->kind == BF16;
    return is_floating && layout->repeats == 1;
}

/* Copy a tensor and measure it. 1: done; 0: none of the tensors that we can copy; -1: an exception. */
static int keep_one(struct copies *self, PyObject *tensor, struct moments *moments)
{
    struct view view;
    int seen = view_open(&view, tensor);
    if (seen < 0)
        return -1;
    int kept = seen && is_kept(&view.layout);
    int64_t step = kept ? sample_step(&view.layout, self->most) : 1;
    struct kept head = {kept ? runs_size(&view.layout, step) : -1, kept ? view.layout.kind : UNKNOWN, NAN, 0};
    int failed = reserve(self, kept_bytes(&head)) < 0;
    if (!failed) {
        struct kept *place = (struct kept *)(self->buffer + self->used);
        *place = head;
        if (kept) {
            change_keep(place, &view.layout, step, moments);
            place->rms = moments_rms(moments);
        }
        self->used += kept_bytes(&head);
    }
    if (seen)
        view_close(&view);
    return failed ? -1 : kept;
}

/* keep_rows(series, tensors): copy these, measure them while they are read; what rows_close gives. */
static PyObject *copies_keep_rows(PyObject *object, PyObject *arguments)
{
    struct copies *self = (struct copies *)object;
    PyObject *series, *tensors;
    struct rows rows;
    if (pairs_read(arguments, &series, &tensors) < 0)
        return NULL;
    self->used = 0;
    int failed = rows_open(&rows, PyTuple_GET_SIZE(tensors)) < 0;
    PyObject *paused = failed ? NULL : modes_pause();
    for (Py_ssize_t at = 0; !failed && at < PyTuple_GET_SIZE(tensors); at++) {
        struct moments moments;
        double number = PyFloat_AsDouble(PyTuple_GET_ITEM(series, at));
        int kept = number == -1 && PyErr_Occurred() ? -1 : keep_one(self, PyTuple_GET_ITEM(tensors, at), &moments);
        if (kept == 1)
            rows_add(&rows, number, &moments, NAN);
        failed = kept < 0 || (kept == 0 && rows_skip(&rows, at) < 0);
    }
    modes_resume(paused);
    if (failed)
        self->used = 0;
    Py_DECREF(series);
    Py_DECREF(tensors);
    return rows_close(&rows, failed);
}

/* 1: measured; 0: not copied, or no longer of that form; -1: an exception. */
static int change_of(struct copies *self, const struct kept *kept, PyObject *tensor, struct moments *moments)
{
    struct view view;
    if (kept->count < 0)
        return 0;
    int seen = view_open(&view, tensor);
    if (seen != 1)
        return seen;
    int is_same = change_measure(moments, kept, &view.layout, sample_step(&view.layout, self->most));
    view_close(&view);
    return is_same;
}

static const struct kept *kept_at(const struct copies *self, int64_t place)
{
    static const struct kept none = {-1, UNKNOWN, NAN, 0};
    return place < self->used ? (const struct kept *)(self->buffer + place) : &none;
}

/* change_rows(series, tensors): rows of the tensors less their copies. Left out are those that were not copied and, which
 * is not told, those of another form by now. */
static PyObject *copies_change_rows(PyObject *object, PyObject *arguments)
{
    struct copies *self = (struct copies *)object;
    PyObject *series, *tensors;
    struct rows rows;
    if (pairs_read(arguments, &series, &tensors) < 0)
        return NULL;
    int64_t place = 0;
    int failed = rows_open(&rows, PyTuple_GET_SIZE(tensors)) < 0;
    PyObject *paused = failed ? NULL : modes_pause();
    for (Py_ssize_t at = 0; !failed && at < PyTuple_GET_SIZE(tensors); at++) {
        struct moments moments;
        const struct kept *kept = kept_at(self, place);
        double number = PyFloat_AsDouble(PyTuple_GET_ITEM(series, at));
        int seen = number == -1 && PyErr_Occurred()
                       ? -1
                       : change_of(self, kept, PyTuple_GET_ITEM(tensors, at), &moments);
        if (seen == 1)
            rows_add(&rows, number, &moments, kept->rms > 0 ? moments_rms(&moments) / kept->rms : NAN);
        failed = seen < 0 || (kept->count < 0 && rows_skip(&rows, at) < 0);
        place += kept_bytes(kept);
    }
    modes_resume(paused);
    Py_DECREF(series);
    Py_DECREF(tensors);
    return rows_close(&rows, failed);
}

static PyObject *copies_clear(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    ((struct copies *)object)->used = 0;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"keep_rows", copies_keep_rows, METH_VARARGS,
     "keep_rows(series, tensors, /)\n--\n\nCopy these in place of those before, and measure them; like measure_rows."},
    {"change_rows", copies_change_rows, METH_VARARGS,
     "change_rows(series, tensors, /)\n--\n\nRows of the tensors less their copies; like measure_rows."},
    {"clear", copies_clear, METH_NOARGS, "clear()\n--\n\nKeep nothing."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject copies_type = {
    TYPE_OF_MODULE("Copies", struct copies, copies_free),
    .tp_doc = "Copies(most, /)\n--\n\nCopies of tensors, sampled beyond `most` elements.",
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = copies_new,
    .tp_methods = methods,
};
