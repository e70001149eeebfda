#include "sightings.h"

#include "known.h"
#include "measuring.h"
#include "summaries.h"
#include "types.h"

enum { DEEPEST = 3 };

struct sighting {
    struct moments moments;
    PyObject *otherwise; /* what Python says of a tensor that we cannot read, in place of all the rest */
    enum kind kind;
    int ndim;
    int64_t shape; /* place of its sizes among all of them */
};

struct sightings {
    PyObject_HEAD
    PyObject *describe; /* called with tensors that we cannot read */
    struct sighting *all;
    Py_ssize_t count;
    Py_ssize_t room;
    int64_t *sizes; /* of all dimensions of all sightings */
    Py_ssize_t sizes_count;
    Py_ssize_t sizes_room;
    struct known known;
    char all_finite; /* in what the last call saw */
};

static const char *const KIND_NAMES[] = {"float32", "float64", "float16", "bfloat16", "int8",   "int16", "int32",
                                         "int64",   "uint8",   "uint16",  "uint32",   "uint64", "bool"};

static PyObject *sightings_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    PyObject *describe;
    if (named != NULL && PyDict_GET_SIZE(named) > 0)
        return PyErr_Format(PyExc_TypeError, "Sightings takes no keyword arguments");
    if (!is_configured() || !PyArg_ParseTuple(arguments, "O", &describe))
        return NULL;
    struct sightings *self = (struct sightings *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->describe = Py_NewRef(describe);
        self->all_finite = 1;
    }
    return (PyObject *)self;
}

static PyObject *sightings_clear(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    struct sightings *self = (struct sightings *)object;
    Py_ssize_t count = self->count;
    self->count = self->sizes_count = 0;
    known_clear(&self->known);
    for (Py_ssize_t at = 0; at < count; at++)
        Py_XDECREF(self->all[at].otherwise);
    Py_RETURN_NONE;
}

static void sightings_free(PyObject *object)
{
    struct sightings *self = (struct sightings *)object;
    Py_DECREF(sightings_clear(object, NULL));
    known_free(&self->known);
    PyMem_Free(self->all);
    PyMem_Free(self->sizes);
    Py_XDECREF(self->describe);
    Py_TYPE(object)->tp_free(object);
}

/* Room for `more` items in an array that grows; -1 with an exception. */
static int reserve(void **array, Py_ssize_t *room, Py_ssize_t count, Py_ssize_t more, size_t item)
{
    if (count + more <= *room)
        return 0;
    Py_ssize_t wanted = 2 * (count + more) + 256;
    void *grown = PyMem_Realloc(*array, (size_t)wanted * item);
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    *array = grown;
    *room = wanted;
    return 0;
}

/* Takes over the reference in `one`; its number, or -1 with an exception. */
static Py_ssize_t add(struct sightings *self, const struct sighting *one)
{
    if (reserve((void **)&self->all, &self->room, self->count, 1, sizeof *one) < 0) {
        Py_XDECREF(one->otherwise);
        return -1;
    }
    self->all[self->count] = *one;
    return self->count++;
}

static int read_sizes(int64_t *sizes, PyObject *tensor)
{
    PyObject *shape = PyObject_GetAttrString(tensor, "shape");
    Py_ssize_t ndim = shape == NULL ? -1 : PySequence_Size(shape);
    for (Py_ssize_t at = 0; at < ndim; at++) {
        PyObject *size = PySequence_GetItem(shape, at);
        sizes[at] = size == NULL ? -1 : PyLong_AsLongLong(size);
        Py_XDECREF(size);
    }
    Py_XDECREF(shape);
    return PyErr_Occurred() ? -1 : (int)ndim;
}

/* Write down the shape of a tensor that we can read; -1 with an exception. */
static int add_shape(struct sightings *self, struct sighting *one, PyObject *tensor)
{
    struct dl_tensor borrowed;
    if (reserve((void **)&self->sizes, &self->sizes_room, self->sizes_count, DIMENSIONS, sizeof *self->sizes) < 0)
        return -1;
    int64_t *sizes = self->sizes + self->sizes_count;
    if (torch.exchange != NULL && torch.exchange->borrow(tensor, &borrowed) == 0) {
        one->ndim = borrowed.ndim;
        memcpy(sizes, borrowed.shape, (size_t)borrowed.ndim * sizeof *sizes);
    } else {
        PyErr_Clear();
        one->ndim = read_sizes(sizes, tensor);
    }
    one->shape = self->sizes_count;
    self->sizes_count += one->ndim > 0 ? one->ndim : 0;
    return one->ndim < 0 ? -1 : 0;
}

static PyObject *shape_tuple(const struct sightings *self, const struct sighting *one)
{
    PyObject *shape = PyTuple_New(one->ndim);
    for (int at = 0; shape != NULL && at < one->ndim; at++) {
        PyObject *size = PyLong_FromLongLong(self->sizes[one->shape + at]);
        if (size == NULL)
            Py_CLEAR(shape);
        else
            PyTuple_SET_ITEM(shape, at, size);
    }
    return shape;
}

static void view_measure(struct moments *moments, const struct view *view)
{
    if (!view_is_large(view)) {
        moments_of(moments, &view->layout);
        return;
    }
    Py_BEGIN_ALLOW_THREADS
    moments_of(moments, &view->layout);
    Py_END_ALLOW_THREADS
}

/* A tensor that we can read. Its moments are taken from those of the same memory, if that was seen before. */
static Py_ssize_t see_view(struct sightings *self, PyObject *tensor, const struct view *view, int is_new)
{
    struct sighting one = {NO_MOMENTS, NULL, view->layout.kind, 0, 0};
    if (add_shape(self, &one, tensor) < 0)
        return -1;
    if (view->layout.count == 0)
        return add(self, &one);
    if (is_new)
        known_written(&self->known, &view->layout);
    int64_t before = known_find(&self->known, &view->layout);
    if (before != NOTHING)
        one.moments = self->all[before].moments;
    else
        view_measure(&one.moments, view);
    if (one.moments.nans || one.moments.infs)
        self->all_finite = 0;
    Py_ssize_t number = add(self, &one);
    if (number >= 0 && before == NOTHING && !known_add(&self->known, &view->layout, number)) {
        PyErr_NoMemory();
        return -1;
    }
    return number;
}

static Py_ssize_t see_tensor(struct sightings *self, PyObject *tensor, int is_new)
{
    struct view view;
    int seen = view_open(&view, tensor);
    if (seen < 0)
        return -1;
    if (seen) {
        Py_ssize_t number = see_view(self, tensor, &view, is_new);
        view_close(&view);
        return number;
    }
    struct sighting one = {NO_MOMENTS, PyObject_CallOneArg(self->describe, tensor), UNKNOWN, 0, 0};
    self->all_finite = 0; /* as far as we know */
    return one.otherwise == NULL ? -1 : add(self, &one);
}

static int is_tensor(PyObject *value)
{
    return PyObject_TypeCheck(value, (PyTypeObject *)PyTuple_GET_ITEM(torch.types, 0));
}

/* Every tensor in nested tuples, lists and dictionaries. */
static int see_all(struct sightings *self, PyObject *value, int is_new, int depth)
{
    if (is_tensor(value))
        return see_tensor(self, value, is_new) < 0 ? -1 : 0;
    if (depth == DEEPEST)
        return 0;
    if (PyTuple_Check(value) || PyList_Check(value)) {
        for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(value); at++) {
            PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(value, at)); /* other threads run: a list may change */
            int failed = see_all(self, item, is_new, depth + 1) < 0;
            Py_DECREF(item);
            if (failed)
                return -1;
        }
    } else if (PyDict_Check(value)) {
        Py_ssize_t place = 0;
        PyObject *item;
        while (PyDict_Next(value, &place, NULL, &item)) /* keyword arguments: of this call alone */
            if (see_all(self, item, is_new, depth + 1) < 0)
                return -1;
    }
    return 0;
}

static PyObject *seen(PyObject *object, PyObject *const *values, Py_ssize_t count, int is_new)
{
    struct sightings *self = (struct sightings *)object;
    Py_ssize_t first = self->count;
    int failed = 0;
    self->all_finite = 1;
    PyObject *paused = modes_pause();
    for (Py_ssize_t at = 0; !failed && at < count; at++)
        failed = see_all(self, values[at], is_new, 0) < 0;
    modes_resume(paused);
    return failed ? NULL : PyLong_FromSsize_t(first);
}

static PyObject *sightings_see(PyObject *object, PyObject *const *values, Py_ssize_t count)
{
    return seen(object, values, count, 0);
}

static PyObject *sightings_see_new(PyObject *object, PyObject *const *values, Py_ssize_t count)
{
    return seen(object, values, count, 1);
}

static int forget(struct sightings *self, PyObject *value)
{
    struct view view;
    if (PyTuple_Check(value) || PyList_Check(value)) {
        for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(value); at++)
            if (forget(self, PySequence_Fast_GET_ITEM(value, at)) < 0)
                return -1;
        return 0;
    }
    int seen = is_tensor(value) ? view_open(&view, value) : 0;
    if (seen == 1) {
        if (view.layout.count > 0)
            known_written(&self->known, &view.layout);
        view_close(&view);
    }
    return seen < 0 ? -1 : 0;
}

/* written(value): what was known of the memory of a tensor, or of all tensors of a list, no longer holds. */
static PyObject *sightings_written(PyObject *object, PyObject *value)
{
    PyObject *paused = modes_pause();
    int failed = forget((struct sightings *)object, value) < 0;
    modes_resume(paused);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* fact(number): (type, shape, summary), or what `describe` gave. */
static PyObject *sightings_fact(PyObject *object, PyObject *number)
{
    struct sightings *self = (struct sightings *)object;
    Py_ssize_t at = PyLong_AsSsize_t(number);
    if (at == -1 && PyErr_Occurred())
        return NULL;
    if (at < 0 || at >= self->count)
        return PyErr_Format(PyExc_IndexError, "no sighting has the number %zd", at);
    const struct sighting *one = &self->all[at];
    if (one->otherwise != NULL)
        return Py_NewRef(one->otherwise);
    return Py_BuildValue("(sNN)", KIND_NAMES[one->kind], shape_tuple(self, one), summary_new(&one->moments));
}

static Py_ssize_t length(PyObject *object)
{
    return ((struct sightings *)object)->count;
}

static PyObject *all_finite(PyObject *object, void *nothing)
{
    (void)nothing;
    return PyBool_FromLong(((struct sightings *)object)->all_finite);
}

static PyMethodDef methods[] = {
    {"see", (PyCFunction)(void (*)(void))sightings_see, METH_FASTCALL,
     "see(*values)\n--\n\nMeasure every tensor in the values, unless it was before; the number of the first."},
    {"see_new", (PyCFunction)(void (*)(void))sightings_see_new, METH_FASTCALL,
     "see_new(*values)\n--\n\nThe same for tensors that were just written."},
    {"written", sightings_written, METH_O,
     "written(value, /)\n--\n\nWhat was known of the memory of these tensors no longer holds."},
    {"fact", sightings_fact, METH_O, "fact(number, /)\n--\n\nType, shape and summary of a tensor that was seen."},
    {"clear", sightings_clear, METH_NOARGS, "clear()\n--\n\nForget everything; numbers begin anew."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"all_finite", all_finite, NULL, "Whether everything that the last call saw is known to be finite.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PySequenceMethods as_sequence = {.sq_length = length};

PyTypeObject sightings_type = {
    TYPE_OF_MODULE("Sightings", struct sightings, sightings_free),
    .tp_doc = "Sightings(describe, /)\n--\n\nTensors that were seen; `describe` is called with those we cannot read.",
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = sightings_new,
    .tp_methods = methods,
    .tp_getset = attributes,
    .tp_as_sequence = &as_sequence,
};
