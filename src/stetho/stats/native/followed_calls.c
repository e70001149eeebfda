/* Calls of models from outside: each is a pass, and whoever owns us hears of its begin and of its end. A hook on the
 * module would do the same, if torch did not take a longer way through modules that have hooks. */
#include "layer_calls.h"

int is_followed(struct layer_calls *self, PyObject *module)
{
    if (self->followed == NULL || PyDict_GET_SIZE(self->followed) == 0)
        return 0;
    PyObject *address = PyLong_FromVoidPtr(module);
    PyObject *reference = address == NULL ? NULL : PyDict_GetItemWithError(self->followed, address);
    Py_XDECREF(address);
    if (reference != NULL)
        return PyWeakref_GetObject(reference) == module;
    return PyErr_Occurred() ? -1 : 0;
}

/* The names and values after the positional arguments of a call. */
static PyObject *keywords_of(PyObject *const *arguments, size_t count, PyObject *named)
{
    Py_ssize_t given = PyVectorcall_NARGS(count);
    PyObject *keywords = PyDict_New();
    for (Py_ssize_t at = 0; keywords != NULL && named != NULL && at < PyTuple_GET_SIZE(named); at++)
        if (PyDict_SetItem(keywords, PyTuple_GET_ITEM(named, at), arguments[given + at]) < 0)
            Py_CLEAR(keywords);
    return keywords;
}

/* Look at what the module of a pass gave, if it is one that is known by now: 0, or -1 with an exception. */
static int see(struct layer_calls *self, PyObject *pass, PyObject *module, PyObject *output)
{
    struct cell *cell = self->cells == NULL ? NULL : cell_of(self, module);
    if (cell == NULL)
        return PyErr_Occurred() ? -1 : 0;
    if (layer_done(self, cell, module, output) < 0)
        return -1;
    return PyObject_SetAttr(pass, names.entry_seen, Py_True);
}

/* A pass has begun, and this call is all of it. */
static PyObject *pass_call(struct layer_calls *self, PyObject *const *arguments, size_t count, PyObject *named)
{
    PyObject *pass = Py_XNewRef(self->pass);
    PyObject *result = PyObject_Vectorcall(self->original, arguments, count, named);
    if (result != NULL && pass != NULL && self->pass == pass && see(self, pass, arguments[0], result) < 0)
        Py_CLEAR(result);
    Py_XDECREF(pass);
    return result;
}

PyObject *followed_call(struct layer_calls *self, PyObject *const *arguments, size_t count, PyObject *named)
{
    PyObject *owner = Py_NewRef(self->owner), *result = NULL, *begun = NULL;
    PyObject *positional = positional_of(arguments, count), *keywords = keywords_of(arguments, count, named);
    if (positional != NULL && keywords != NULL)
        begun = PyObject_CallMethodObjArgs(owner, names.begin_pass, arguments[0], positional, keywords, NULL);
    if (begun == Py_True)
        result = told_of_end(owner, names.end_pass, arguments[0], positional,
                             pass_call(self, arguments, count, named));
    else if (begun != NULL)
        result = inner_call(self, arguments, count, named, 1);
    Py_XDECREF(begun);
    Py_XDECREF(keywords);
    Py_XDECREF(positional);
    Py_DECREF(owner);
    return result;
}
