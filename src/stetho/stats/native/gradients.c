#include <limits.h>
#include <stddef.h>

#include "layer_calls.h"
#include "types.h"

enum { CALLING = 1000 }; /* nanoseconds that torch spends on calling a hook */

struct gradient {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    struct layer_calls *calls;
    PyObject *cells; /* list: the layer that gave the tensor, and containers that gave it on */
    PyObject *pass;
    int full;
    int finite;
};

static int record_all(struct gradient *self, const struct moments *moments)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(self->cells); at++) {
        struct cell *cell = (struct cell *)PyList_GET_ITEM(self->cells, at);
        if (records_add(&self->calls->records, cell, GRADIENT, self->pass, moments) < 0)
            return -1;
    }
    return 0;
}

/* What we cannot read is measured in Python. */
static int hand_over(struct gradient *self, PyObject *tensor)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(self->cells); at++) {
        struct cell *cell = (struct cell *)PyList_GET_ITEM(self->cells, at);
        PyObject *done = PyObject_CallMethod(self->calls->owner, "gradient", "OOO", cell->layer, self->pass, tensor);
        if (done == NULL)
            return -1;
        Py_DECREF(done);
    }
    return 0;
}

static PyObject *gradient_call(PyObject *object, PyObject *const *arguments, size_t count, PyObject *named)
{
    struct gradient *self = (struct gradient *)object;
    struct layer_calls *calls = self->calls;
    if (PyVectorcall_NARGS(count) != 1 || named != NULL)
        return PyErr_Format(PyExc_TypeError, "a gradient hook takes one tensor");
    if (calls->owner == NULL) /* we stopped watching */
        Py_RETURN_NONE;
    long long start = nanoseconds_now();
    struct moments moments;
    struct cell *cell = (struct cell *)PyList_GET_ITEM(self->cells, 0);
    PyObject *paused = modes_pause();
    int seen = layer_look(calls, cell, GRADIENT, arguments[0], self->full, self->finite, &moments);
    modes_resume(paused);
    int failed = seen < 0 || (seen == MEASURED && self->full && record_all(self, &moments) < 0);
    calls->nanoseconds += nanoseconds_now() - start + CALLING;
    if (seen == UNREADABLE)
        failed = hand_over(self, arguments[0]) < 0;
    if (failed && layer_failed(calls) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static int gradient_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct gradient *self = (struct gradient *)object;
    Py_VISIT(self->calls);
    Py_VISIT(self->cells);
    Py_VISIT(self->pass);
    return 0;
}

static void gradient_free(PyObject *object)
{
    struct gradient *self = (struct gradient *)object;
    PyObject_GC_UnTrack(object);
    Py_XDECREF(self->calls);
    Py_XDECREF(self->cells);
    Py_XDECREF(self->pass);
    PyObject_GC_Del(object);
}

PyTypeObject gradient_type = {
    TYPE_OF_MODULE("Gradient", struct gradient, gradient_free),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(struct gradient, vectorcall),
    .tp_traverse = gradient_traverse,
};

PyObject *gradient_new(struct layer_calls *calls, struct cell *cell)
{
    PyObject *cells = PyList_New(1);
    if (cells == NULL)
        return NULL;
    PyList_SET_ITEM(cells, 0, Py_NewRef((PyObject *)cell));
    struct gradient *made = PyObject_GC_New(struct gradient, &gradient_type);
    if (made == NULL) {
        Py_DECREF(cells);
        return NULL;
    }
    made->vectorcall = gradient_call;
    made->calls = (struct layer_calls *)Py_NewRef((PyObject *)calls);
    made->cells = cells;
    made->pass = Py_NewRef(calls->pass);
    made->full = calls->full;
    made->finite = calls->finite;
    PyObject_GC_Track((PyObject *)made);
    return (PyObject *)made;
}

int gradient_extend(PyObject *gradient, struct cell *cell)
{
    return PyList_Append(((struct gradient *)gradient)->cells, (PyObject *)cell);
}

/* Whether gradients will come to it: it has a history. -1 with an exception. */
static int has_history(PyObject *output, PyObject **node)
{
    PyObject *wanted = PyObject_GetAttr(output, names.requires_grad);
    Py_XDECREF(wanted); /* one of the two that never go away */
    if (wanted != Py_True)
        return wanted == NULL ? -1 : 0;
    *node = PyObject_GetAttr(output, names.grad_fn);
    if (*node == Py_None)
        Py_CLEAR(*node);
    else if (*node == NULL)
        return -1;
    return *node != NULL;
}

/* The hooks of a tensor, as `Tensor.register_hook` would make them; it takes a handle as well, which costs more. */
static PyObject *hooks_of(PyObject *output, PyObject *node)
{
    PyObject *hooks = PyObject_GetAttr(output, names.backward_hooks);
    if (hooks != Py_None)
        return hooks;
    Py_DECREF(hooks);
    hooks = PyObject_CallNoArgs(torch.hooks);
    if (hooks == NULL || PyObject_SetAttr(output, names.backward_hooks, hooks) < 0)
        Py_CLEAR(hooks);
    PyObject *done = hooks == NULL ? NULL : PyObject_CallMethodOneArg(node, names.register_hooks, output);
    if (done == NULL)
        Py_CLEAR(hooks);
    Py_XDECREF(done);
    return hooks;
}

static int hang(struct layer_calls *calls, struct cell *cell, PyObject *hooks)
{
    static long long number = LLONG_MIN / 2; /* handles of torch count upwards from zero, ours in Python downwards */
    PyObject *key = PyLong_FromLongLong(number++);
    PyObject *gradient = key == NULL ? NULL : gradient_new(calls, cell);
    int failed = gradient == NULL || PyObject_SetItem(hooks, key, gradient) < 0;
    Py_XDECREF(key);
    if (failed) {
        Py_XDECREF(gradient);
        return -1;
    }
    Py_XSETREF(calls->last_gradient, gradient);
    calls->last_hooks = PyObject_Size(hooks);
    return 0;
}

int gradient_follow(struct layer_calls *calls, struct cell *cell, PyObject *output)
{
    PyObject *node = NULL;
    int followed = calls->grad ? has_history(output, &node) : 0;
    if (followed <= 0)
        return followed;
    PyObject *hooks = hooks_of(output, node);
    Py_DECREF(node);
    if (hooks == NULL)
        return -1;
    /* A container's gradient is that of its last layer, unless somebody's hook stands between them. */
    int is_same = calls->last == output && calls->last_gradient != NULL && PyObject_Size(hooks) == calls->last_hooks;
    int failed = is_same ? gradient_extend(calls->last_gradient, cell) : hang(calls, cell, hooks);
    Py_DECREF(hooks);
    return failed;
}
