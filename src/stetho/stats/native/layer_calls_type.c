#include "layer_calls.h"
#include "types.h"

#include <stddef.h>
#include <structmember.h>

static PyObject *calls_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    PyObject *original, *owner;
    if (named != NULL && PyDict_GET_SIZE(named) > 0)
        return PyErr_Format(PyExc_TypeError, "LayerCalls takes no keyword arguments");
    if (!PyArg_ParseTuple(arguments, "OO", &original, &owner))
        return NULL;
    struct layer_calls *self = (struct layer_calls *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->vectorcall = layer_call;
    self->original = Py_NewRef(original);
    self->owner = Py_NewRef(owner);
    self->cells = PyDict_New();
    self->followed = PyDict_New();
    if (self->cells == NULL || self->followed == NULL)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static int calls_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct layer_calls *self = (struct layer_calls *)object;
    Py_VISIT(self->original);
    Py_VISIT(self->owner);
    Py_VISIT(self->cells);
    Py_VISIT(self->followed);
    Py_VISIT(self->pass);
    Py_VISIT(self->last);
    Py_VISIT(self->last_gradient);
    return 0;
}

static void end_pass(struct layer_calls *self)
{
    Py_CLEAR(self->pass);
    Py_CLEAR(self->last);
    Py_CLEAR(self->last_gradient);
}

static int calls_clear(PyObject *object)
{
    struct layer_calls *self = (struct layer_calls *)object;
    end_pass(self);
    Py_CLEAR(self->owner);
    Py_CLEAR(self->cells);
    Py_CLEAR(self->followed);
    return 0;
}

static void calls_free(PyObject *object)
{
    struct layer_calls *self = (struct layer_calls *)object;
    PyObject_GC_UnTrack(object);
    calls_clear(object);
    Py_CLEAR(self->original);
    records_forget(&self->records, NULL);
    PyMem_Free(self->records.all);
    Py_TYPE(object)->tp_free(object);
}

/* As a method of a class it is bound like a function. */
static PyObject *calls_bind(PyObject *self, PyObject *module, PyObject *type)
{
    (void)type;
    return module == NULL || module == Py_None ? Py_NewRef(self) : PyMethod_New(self, module);
}

static PyObject *calls_know(PyObject *object, PyObject *arguments)
{
    struct layer_calls *self = (struct layer_calls *)object;
    PyObject *module, *layer;
    int is_entry;
    if (!PyArg_ParseTuple(arguments, "OOp", &module, &layer, &is_entry))
        return NULL;
    if (self->cells == NULL)
        Py_RETURN_NONE;
    struct cell *cell = cell_new(module, layer, is_entry);
    PyObject *address = cell == NULL ? NULL : PyLong_FromVoidPtr(module);
    int failed = address == NULL || PyDict_SetItem(self->cells, address, (PyObject *)cell) < 0;
    Py_XDECREF(address);
    Py_XDECREF(cell);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *calls_follow(PyObject *object, PyObject *module)
{
    struct layer_calls *self = (struct layer_calls *)object;
    if (self->followed == NULL)
        Py_RETURN_NONE;
    PyObject *address = PyLong_FromVoidPtr(module), *reference = PyWeakref_NewRef(module, NULL);
    int failed = address == NULL || reference == NULL || PyDict_SetItem(self->followed, address, reference) < 0;
    Py_XDECREF(address);
    Py_XDECREF(reference);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *calls_follows(PyObject *object, PyObject *module)
{
    int followed = is_followed((struct layer_calls *)object, module);
    return followed < 0 ? NULL : PyBool_FromLong(followed);
}

static PyObject *calls_forget(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    struct layer_calls *self = (struct layer_calls *)object;
    if (self->cells != NULL)
        PyDict_Clear(self->cells);
    Py_RETURN_NONE;
}

static PyObject *calls_begin(PyObject *object, PyObject *arguments)
{
    struct layer_calls *self = (struct layer_calls *)object;
    PyObject *pass;
    int grad, full, finite;
    if (!PyArg_ParseTuple(arguments, "Oppp", &pass, &grad, &full, &finite))
        return NULL;
    end_pass(self);
    self->pass = Py_NewRef(pass);
    self->grad = grad;
    self->full = full;
    self->finite = finite;
    Py_RETURN_NONE;
}

static PyObject *calls_end(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    end_pass((struct layer_calls *)object);
    Py_RETURN_NONE;
}

static PyObject *calls_see(PyObject *object, PyObject *arguments)
{
    struct layer_calls *self = (struct layer_calls *)object;
    PyObject *module, *output;
    if (!PyArg_ParseTuple(arguments, "OO", &module, &output))
        return NULL;
    struct cell *cell = self->pass == NULL || self->cells == NULL ? NULL : cell_of(self, module);
    if (cell == NULL)
        Py_RETURN_FALSE;
    if (layer_done(self, cell, module, output) < 0)
        return NULL;
    Py_RETURN_TRUE;
}

static PyObject *calls_counts(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    struct layer_calls *self = (struct layer_calls *)object;
    PyObject *counts = PyList_New(0), *key, *value;
    Py_ssize_t at = 0;
    while (counts != NULL && self->cells != NULL && PyDict_Next(self->cells, &at, &key, &value)) {
        struct cell *cell = (struct cell *)value;
        PyObject *item = cell->calls == 0 ? Py_NewRef(Py_None) : Py_BuildValue("(OL)", cell->layer, cell->calls);
        if (item == NULL || (item != Py_None && PyList_Append(counts, item) < 0))
            Py_CLEAR(counts);
        Py_XDECREF(item);
        cell->calls = 0;
    }
    return counts;
}

static PyObject *pass_or_all(PyObject *pass)
{
    return pass == Py_None ? NULL : pass;
}

static PyObject *calls_rows(PyObject *object, PyObject *pass)
{
    struct layer_calls *self = (struct layer_calls *)object;
    if (self->owner == NULL)
        return PyByteArray_FromStringAndSize(NULL, 0);
    PyObject *rows = records_rows(&self->records, pass_or_all(pass), self->owner);
    records_forget(&self->records, pass_or_all(pass));
    return rows;
}

static PyObject *calls_items(PyObject *object, PyObject *pass)
{
    struct layer_calls *self = (struct layer_calls *)object;
    PyObject *items = records_items(&self->records, pass_or_all(pass));
    records_forget(&self->records, pass_or_all(pass));
    return items;
}

static PyObject *calls_take_seconds(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    struct layer_calls *self = (struct layer_calls *)object;
    double seconds = (double)self->nanoseconds * 1e-9;
    self->nanoseconds = 0;
    return PyFloat_FromDouble(seconds);
}

static PyObject *calls_stop(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    struct layer_calls *self = (struct layer_calls *)object;
    self->armed = 0;
    calls_clear(object);
    records_forget(&self->records, NULL);
    Py_RETURN_NONE;
}

static PyObject *calls_is_empty(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((struct layer_calls *)object)->records.count == 0);
}

static PyMethodDef methods[] = {
    {"know", calls_know, METH_VARARGS,
     "know(module, layer, is_entry, /)\n--\n\nFrom now on this module needs no Python."},
    {"follow", calls_follow, METH_O,
     "follow(module, /)\n--\n\nFrom now on calls of this module begin and end passes."},
    {"follows", calls_follows, METH_O, "follows(module, /)\n--\n\nWhether they do."},
    {"forget", calls_forget, METH_NOARGS, "forget()\n--\n\nKnow no module."},
    {"begin", calls_begin, METH_VARARGS,
     "begin(pass, grad, full, finite, /)\n--\n\nLook at the layers of a pass, from now on."},
    {"end", calls_end, METH_NOARGS, "end()\n--\n\nThe pass is over."},
    {"see", calls_see, METH_VARARGS,
     "see(module, output, /)\n--\n\nA module of the pass gave this; whether it is one that is known."},
    {"counts", calls_counts, METH_NOARGS, "counts()\n--\n\nLayers and how often they were called since the last time."},
    {"rows", calls_rows, METH_O, "rows(pass, /)\n--\n\nTake the rows of a pass, or of all with None, as bytes."},
    {"items", calls_items, METH_O, "items(pass, /)\n--\n\nTake the same as (layer, role, pass, calls, summary)."},
    {"take_seconds", calls_take_seconds, METH_NOARGS, "take_seconds()\n--\n\nThe time spent here since the last time."},
    {"stop", calls_stop, METH_NOARGS, "stop()\n--\n\nLook at nothing any more, and keep nothing."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"armed", T_INT, offsetof(struct layer_calls, armed), 0, "Whether calls of modules are looked at."},
    {"__wrapped__", T_OBJECT, offsetof(struct layer_calls, original), READONLY, "What it stands in for."},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"is_empty", calls_is_empty, NULL, "Whether nothing waits to be taken.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject layer_calls_type = {
    TYPE_OF_MODULE("LayerCalls", struct layer_calls, calls_free),
    .tp_doc = "LayerCalls(original, owner, /)\n--\n\nStands in for `Module.__call__`, and measures what layers give.",
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(struct layer_calls, vectorcall),
    .tp_descr_get = calls_bind,
    .tp_new = calls_new,
    .tp_traverse = calls_traverse,
    .tp_clear = calls_clear,
    .tp_methods = methods,
    .tp_members = members,
    .tp_getset = properties,
};
