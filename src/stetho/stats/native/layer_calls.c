#include "layer_calls.h"

#include <math.h>
#include <time.h>

long long nanoseconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int layer_failed(struct layer_calls *calls)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception) || calls->owner == NULL)
        return -1;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *done = PyObject_CallMethod(calls->owner, "failed", "O", value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

static int tell(struct layer_calls *calls, struct cell *cell, enum role role, PyObject *tensor)
{
    PyObject *done = PyObject_CallMethod(calls->owner, "trouble", "OsO", cell->layer, ROLE_NAMES[role], tensor);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

static int is_real(enum kind kind)
{
    return kind == F32 || kind == F64 || kind == F16 || kind == BF16;
}

static double read_view(const struct view *view, int full, struct moments *moments)
{
    if (!full)
        return power_of(&view->layout);
    moments_of(moments, &view->layout);
    return moments_power(moments);
}

int layer_look(struct layer_calls *calls, struct cell *cell, enum role role, PyObject *tensor, int full, int finite,
               struct moments *moments)
{
    struct view view;
    double power;
    int seen = view_open(&view, tensor);
    if (seen != 1)
        return seen < 0 ? -1 : UNREADABLE;
    if (!is_real(view.layout.kind)) {
        view_close(&view);
        return NO_REAL_NUMBERS;
    }
    if (view_is_large(&view)) {
        Py_BEGIN_ALLOW_THREADS
        power = read_view(&view, full, moments);
        Py_END_ALLOW_THREADS
    } else {
        power = read_view(&view, full, moments);
    }
    view_close(&view);
    if (finite && !isfinite(power) && calls->owner != NULL && tell(calls, cell, role, tensor) < 0)
        return -1;
    return MEASURED;
}

/* How often a tensor was written to; -1 where torch does not count. */
static long long version_of(PyObject *tensor)
{
    PyObject *number = PyObject_GetAttr(tensor, names.version);
    long long version = number == NULL ? -1 : PyLong_AsLongLong(number);
    Py_XDECREF(number);
    PyErr_Clear();
    return version;
}

/* Look at what a layer gave; a `look`, or -1 with an exception. */
static int look_at(struct layer_calls *self, struct cell *cell, PyObject *output)
{
    long long version = version_of(output);
    int is_same = output == self->last && version >= 0 && version == self->version;
    int seen = MEASURED;
    if (is_same && !self->full)
        return MEASURED;
    if (!is_same) {
        seen = layer_look(self, cell, OUTPUT, output, self->full, self->finite, &self->last_moments);
        if (seen != MEASURED || self->pass == NULL)
            return seen;
        Py_CLEAR(self->last_gradient);
    }
    if (self->full && records_add(&self->records, cell, OUTPUT, self->pass, &self->last_moments) < 0)
        return -1;
    if (gradient_follow(self, cell, output) < 0)
        return -1;
    Py_XSETREF(self->last, Py_NewRef(output));
    self->version = version;
    return MEASURED;
}

int layer_done(struct layer_calls *self, struct cell *cell, PyObject *module, PyObject *output)
{
    long long start = nanoseconds_now();
    Py_INCREF(cell);
    PyObject *paused = modes_pause();
    int seen = look_at(self, cell, output);
    modes_resume(paused);
    self->nanoseconds += nanoseconds_now() - start;
    if (seen == UNREADABLE && self->owner != NULL && self->pass != NULL) {
        PyObject *done = PyObject_CallMethod(self->owner, "output", "OOOO", cell->layer, module, output, self->pass);
        seen = done == NULL ? -1 : MEASURED;
        Py_XDECREF(done);
    }
    Py_DECREF(cell);
    return seen < 0 ? layer_failed(self) : 0;
}

struct cell *cell_of(struct layer_calls *self, PyObject *module)
{
    PyObject *address = PyLong_FromVoidPtr(module);
    PyObject *found = address == NULL ? NULL : PyDict_GetItemWithError(self->cells, address);
    Py_XDECREF(address);
    struct cell *cell = (struct cell *)found;
    return cell != NULL && PyWeakref_GetObject(cell->module) == module ? cell : NULL;
}

PyObject *positional_of(PyObject *const *arguments, size_t count)
{
    Py_ssize_t given = PyVectorcall_NARGS(count);
    PyObject *positional = PyTuple_New(given - 1);
    for (Py_ssize_t at = 1; positional != NULL && at < given; at++)
        PyTuple_SET_ITEM(positional, at - 1, Py_NewRef(arguments[at]));
    return positional;
}

PyObject *told_of_end(PyObject *owner, PyObject *word, PyObject *module, PyObject *positional, PyObject *result)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *done =
        PyObject_CallMethodObjArgs(owner, word, module, positional, result ? result : Py_None, NULL);
    if (done == NULL) {
        Py_CLEAR(result);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
        return NULL;
    }
    Py_DECREF(done);
    PyErr_Restore(type, value, traceback);
    return result;
}

/* In Python, as forward hooks do it. */
static PyObject *call_with_hooks(struct layer_calls *self, PyObject *const *arguments, size_t count, PyObject *named,
                                 int was_followed)
{
    PyObject *owner = Py_NewRef(self->owner), *result = NULL, *entered = NULL;
    PyObject *positional = positional_of(arguments, count);
    if (positional != NULL)
        entered = PyObject_CallMethodObjArgs(owner, names.enter, arguments[0], positional, NULL);
    if (entered != NULL) {
        /* Only now it may be known that calls of it are passes. */
        int followed = was_followed ? 0 : is_followed(self, arguments[0]);
        if (followed >= 0)
            result = followed ? followed_call(self, arguments, count, named)
                              : PyObject_Vectorcall(self->original, arguments, count, named);
        result = told_of_end(owner, names.leave, arguments[0], positional, result);
    }
    Py_XDECREF(entered);
    Py_XDECREF(positional);
    Py_DECREF(owner);
    return result;
}

PyObject *inner_call(struct layer_calls *self, PyObject *const *arguments, size_t count, PyObject *named, int followed)
{
    if (!self->armed || self->owner == NULL)
        return PyObject_Vectorcall(self->original, arguments, count, named);
    struct cell *cell = cell_of(self, arguments[0]);
    if (self->pass == NULL && cell != NULL && cell->is_entry) /* its own hooks begin and end a pass */
        return PyObject_Vectorcall(self->original, arguments, count, named);
    if (self->pass == NULL || cell == NULL)
        return call_with_hooks(self, arguments, count, named, followed);
    Py_INCREF(cell);
    PyObject *pass = Py_NewRef(self->pass);
    PyObject *result = PyObject_Vectorcall(self->original, arguments, count, named);
    if (result != NULL && self->pass == pass) {
        cell->calls++;
        if (layer_done(self, cell, arguments[0], result) < 0)
            Py_CLEAR(result);
    }
    Py_DECREF(pass);
    Py_DECREF(cell);
    return result;
}

PyObject *layer_call(PyObject *object, PyObject *const *arguments, size_t count, PyObject *named)
{
    struct layer_calls *self = (struct layer_calls *)object;
    if (self->owner == NULL || PyVectorcall_NARGS(count) < 1)
        return PyObject_Vectorcall(self->original, arguments, count, named);
    int followed = is_followed(self, arguments[0]);
    if (followed < 0)
        return NULL;
    return followed ? followed_call(self, arguments, count, named) : inner_call(self, arguments, count, named, 0);
}
