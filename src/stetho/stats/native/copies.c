#include "copies.h"

#include "changes.h"
#include "summaries.h"
#include "tensors.h"

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

/* 1: copied; 0: none of the tensors that we can copy; -1: an exception. */
static int keep_one(struct copies *self, PyObject *tensor)
{
    struct view view;
    int seen = view_open(&view, tensor);
    if (seen < 0)
        return -1;
    int kept = seen && is_kept(&view.layout);
    int64_t step = kept ? sample_step(&view.layout, self->most) : 1;
    struct kept head = {kept ? sample_size(&view.layout, step) : -1, kept ? view.layout.kind : UNKNOWN};
    int failed = reserve(self, kept_bytes(&head)) < 0;
    if (!failed) {
        struct kept *place = (struct kept *)(self->buffer + self->used);
        *place = head;
        if (kept)
            change_keep(place, &view.layout, step);
        self->used += kept_bytes(&head);
    }
    if (seen)
        view_close(&view);
    return failed ? -1 : kept;
}

static PyObject *copies_keep(PyObject *object, PyObject *tensors)
{
    struct copies *self = (struct copies *)object;
    if (summary_type == NULL)
        return PyErr_Format(PyExc_RuntimeError, "the native kernel was not configured; call configure first");
    PyObject *sequence = PySequence_Tuple(tensors);
    if (sequence == NULL)
        return NULL;
    self->used = 0;
    PyObject *all = PyList_New(PyTuple_GET_SIZE(sequence)), *paused = modes_pause();
    for (Py_ssize_t at = 0; all != NULL && at < PyTuple_GET_SIZE(sequence); at++) {
        int kept = keep_one(self, PyTuple_GET_ITEM(sequence, at));
        if (kept < 0)
            Py_CLEAR(all);
        else
            PyList_SET_ITEM(all, at, Py_NewRef(kept ? Py_True : Py_False));
    }
    modes_resume(paused);
    if (all == NULL)
        self->used = 0;
    Py_DECREF(sequence);
    return all;
}

/* The summary of one change, or None: not copied, or no longer of that form. */
static PyObject *change_of(struct copies *self, const struct kept *kept, PyObject *tensor)
{
    struct view view;
    struct moments moments;
    if (kept->count < 0)
        Py_RETURN_NONE;
    int seen = view_open(&view, tensor);
    if (seen < 0)
        return NULL;
    if (seen == 0)
        Py_RETURN_NONE;
    int is_same = change_measure(&moments, kept, &view.layout, sample_step(&view.layout, self->most));
    view_close(&view);
    if (!is_same)
        Py_RETURN_NONE;
    return summary_new(&moments);
}

static PyObject *copies_changes(PyObject *object, PyObject *tensors)
{
    struct copies *self = (struct copies *)object;
    if (summary_type == NULL)
        return PyErr_Format(PyExc_RuntimeError, "the native kernel was not configured; call configure first");
    PyObject *sequence = PySequence_Tuple(tensors);
    if (sequence == NULL)
        return NULL;
    int64_t place = 0;
    PyObject *all = PyList_New(PyTuple_GET_SIZE(sequence)), *paused = modes_pause();
    for (Py_ssize_t at = 0; all != NULL && at < PyTuple_GET_SIZE(sequence); at++) {
        const struct kept none = {-1, UNKNOWN};
        const struct kept *kept = place < self->used ? (const struct kept *)(self->buffer + place) : &none;
        PyObject *change = change_of(self, kept, PyTuple_GET_ITEM(sequence, at));
        place += kept_bytes(kept);
        if (change == NULL)
            Py_CLEAR(all);
        else
            PyList_SET_ITEM(all, at, change);
    }
    modes_resume(paused);
    Py_DECREF(sequence);
    return all;
}

static PyMethodDef methods[] = {
    {"keep", copies_keep, METH_O, "keep(tensors, /)\n--\n\nCopy these in place of those before; tells which."},
    {"changes", copies_changes, METH_O, "changes(tensors, /)\n--\n\nSummaries of the tensors less their copies."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject copies_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "stetho.stats._native.Copies",
    .tp_doc = "Copies(most, /)\n--\n\nCopies of tensors, sampled beyond `most` elements.",
    .tp_basicsize = sizeof(struct copies),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = copies_new,
    .tp_dealloc = copies_free,
    .tp_methods = methods,
};
