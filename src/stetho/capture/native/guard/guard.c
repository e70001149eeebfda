/* The guard around functions of ours, without a line of Python where nothing goes wrong: it stands between the program
   and each of them, several times in every step. `stetho/capture/guard.py` says what it is for, and does the rest. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <structmember.h>

#define NAME(text) "stetho.capture._guard." text

/* What all functions behind one guard share. */
struct state {
    PyObject_HEAD
    PyObject *clock;
    PyObject *processor; /* tells the processor time of the thread; None where nobody counts it */
    PyObject *listeners; /* each tells whether somebody hears what our functions do; a tuple, or None */
    PyObject *apart;     /* calls a function such that nobody hears it */
    double entered; /* when the function of ours that is running was called; no number while none is */
    double seconds;
    double worked;
    char alive;
    char asleep;
};

struct guarded {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    struct state *state;
    PyObject *point;
    PyObject *function;
    PyObject *let_through; /* the one exception that is no error */
    char naps;
};

static PyObject *fault; /* the point that is made to raise, for tests */

static int read_clock(PyObject *clock, double *now)
{
    PyObject *time = PyObject_CallNoArgs(clock);
    *now = time == NULL ? 0.0 : PyFloat_AsDouble(time);
    Py_XDECREF(time);
    return PyErr_Occurred() ? -1 : 0;
}

/* ---- the state */

static PyObject *state_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    (void)arguments;
    (void)named;
    struct state *self = (struct state *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->clock = Py_NewRef(Py_None);
    self->processor = Py_NewRef(Py_None);
    self->listeners = Py_NewRef(Py_None);
    self->apart = Py_NewRef(Py_None);
    self->entered = NAN;
    self->alive = 1;
    return (PyObject *)self;
}

static int state_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(((struct state *)object)->clock);
    Py_VISIT(((struct state *)object)->processor);
    Py_VISIT(((struct state *)object)->listeners);
    Py_VISIT(((struct state *)object)->apart);
    return 0;
}

static int state_clear(PyObject *object)
{
    Py_CLEAR(((struct state *)object)->clock);
    Py_CLEAR(((struct state *)object)->processor);
    Py_CLEAR(((struct state *)object)->listeners);
    Py_CLEAR(((struct state *)object)->apart);
    return 0;
}

static void state_free(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    state_clear(object);
    Py_TYPE(object)->tp_free(object);
}

static PyObject *state_so_far(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    struct state *self = (struct state *)object;
    double now = 0.0;
    if (isnan(self->entered))
        return PyFloat_FromDouble(self->seconds);
    return read_clock(self->clock, &now) < 0 ? NULL : PyFloat_FromDouble(self->seconds + now - self->entered);
}

static PyObject *state_entered(PyObject *object, void *closure)
{
    (void)closure;
    double entered = ((struct state *)object)->entered;
    return isnan(entered) ? Py_NewRef(Py_None) : PyFloat_FromDouble(entered);
}

static PyMethodDef state_methods[] = {
    {"so_far", state_so_far, METH_NOARGS,
     "so_far()\n--\n\nOur time including that of the function of ours that is asking."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef state_members[] = {
    {"alive", T_BOOL, offsetof(struct state, alive), 0, "Whether functions are called at all."},
    {"asleep", T_BOOL, offsetof(struct state, asleep), 0, "Whether only those are called that never nap."},
    {"seconds", T_DOUBLE, offsetof(struct state, seconds), 0, "The time that was spent in them."},
    {"clock", T_OBJECT, offsetof(struct state, clock), 0, "Tells the time."},
    {"worked", T_DOUBLE, offsetof(struct state, worked), 0, "The processor time that was spent in them."},
    {"listeners", T_OBJECT, offsetof(struct state, listeners), 0, "Tell whether somebody hears what we do; a tuple."},
    {"apart", T_OBJECT, offsetof(struct state, apart), 0, "Calls a function such that nobody hears it."},
    {"processor", T_OBJECT, offsetof(struct state, processor), 0, "Tells the processor time; None: it is not counted."},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef state_properties[] = {
    {"entered", state_entered, NULL, "When the function of ours that is running was called.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject state_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = NAME("State"),
    .tp_basicsize = sizeof(struct state),
    .tp_dealloc = state_free,
    .tp_doc = "State()\n--\n\nWhat all functions behind one guard share.",
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_new = state_new,
    .tp_traverse = state_traverse,
    .tp_clear = state_clear,
    .tp_methods = state_methods,
    .tp_members = state_members,
    .tp_getset = state_properties,
};

/* ---- a function behind the guard */

/* Calls that a function of ours, and telling of its error, may be deep. */
enum { ROOM = 200 };

/* The program may have filled its stack: what we do must not depend on how much of that is left. Other threads do the
   same meanwhile, so room is added and taken back, and never set. */
static void make_room(int calls)
{
    Py_SetRecursionLimit(Py_GetRecursionLimit() + calls);
}

/* An error of ours goes to the guard and no further; what ends the program passes. */
static PyObject *told(struct guarded *self)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(self->let_through))
        return NULL;
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (trace != NULL)
        PyException_SetTraceback(error, trace);
    /* Where our own room is full, there is none to take ourselves away, unless we make some. */
    int more = PyErr_GivenExceptionMatches(type, PyExc_RecursionError) ? ROOM : 0;
    make_room(more);
    PyObject *done = PyObject_CallMethod((PyObject *)self->state, "failed", "OO", self->point, error);
    make_room(-more);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
    return done;
}

static int is_heard(struct state *state)
{
    int is_true = 0;
    if (!PyTuple_CheckExact(state->listeners))
        return 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(state->listeners) && is_true == 0; i++) {
        PyObject *answer = PyObject_CallNoArgs(PyTuple_GET_ITEM(state->listeners, i));
        is_true = answer == NULL ? -1 : PyObject_IsTrue(answer);
        Py_XDECREF(answer);
    }
    return is_true;
}

static PyObject *called_apart(struct guarded *self, PyObject *const *arguments, size_t count, PyObject *names)
{
    Py_ssize_t given = PyVectorcall_NARGS(count), named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    PyObject **all = PyMem_New(PyObject *, given + named + 1);
    if (all == NULL)
        return PyErr_NoMemory();
    all[0] = self->function;
    memcpy(all + 1, arguments, (size_t)(given + named) * sizeof *all);
    PyObject *result = PyObject_Vectorcall(self->state->apart, all, (size_t)given + 1, names);
    PyMem_Free(all);
    return result;
}

static PyObject *called(struct guarded *self, PyObject *const *arguments, size_t count, PyObject *names)
{
    PyObject *result = NULL;
    int is_fault = fault == NULL ? 0 : PyObject_RichCompareBool(fault, self->point, Py_EQ);
    if (is_fault > 0)
        PyErr_Format(PyExc_RuntimeError, "fault injected at `%U`", self->point);
    else if (is_fault == 0) {
        int heard = is_heard(self->state);
        if (heard == 0)
            result = PyObject_Vectorcall(self->function, arguments, count, names);
        else if (heard > 0)
            result = called_apart(self, arguments, count, names);
    }
    return result != NULL ? result : told(self);
}

/* Call, and count the processor time where somebody asks for it. */
static PyObject *counted(struct guarded *self, PyObject *const *arguments, size_t count, PyObject *names)
{
    struct state *state = self->state;
    double start = 0.0, end = 0.0;
    if (Py_IsNone(state->processor))
        return called(self, arguments, count, names);
    /* What we call may end the counting. */
    PyObject *processor = Py_NewRef(state->processor), *type, *error, *trace;
    int is_read = read_clock(processor, &start) == 0;
    if (!is_read)
        PyErr_Clear();
    PyObject *result = called(self, arguments, count, names);
    PyErr_Fetch(&type, &error, &trace);
    if (is_read && read_clock(processor, &end) == 0)
        state->worked += end - start;
    PyErr_Clear();
    PyErr_Restore(type, error, trace);
    Py_DECREF(processor);
    return result;
}

/* Call, and count the time. */
static PyObject *timed(struct guarded *self, PyObject *const *arguments, size_t count, PyObject *names)
{
    struct state *state = self->state;
    double outside, start, end;
    if (read_clock(state->clock, &start) < 0)
        return NULL;
    /* An error takes us away while we are still here. */
    Py_INCREF(self);
    Py_INCREF(state);
    outside = state->entered;
    state->entered = start;
    PyObject *result = counted(self, arguments, count, names), *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    state->entered = outside;
    if (read_clock(state->clock, &end) < 0)
        PyErr_Clear();
    else
        state->seconds += end - start;
    PyErr_Restore(type, error, trace);
    Py_DECREF(state);
    Py_DECREF(self);
    return result;
}

static PyObject *guarded_call(PyObject *object, PyObject *const *arguments, size_t count, PyObject *names)
{
    struct guarded *self = (struct guarded *)object;
    struct state *state = self->state;
    if (state == NULL || !state->alive || (self->naps && state->asleep))
        Py_RETURN_NONE;
    int room = isnan(state->entered) ? ROOM : 0;
    make_room(room);
    PyObject *result = timed(self, arguments, count, names);
    make_room(-room);
    return result;
}

static PyObject *guarded_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    PyObject *state, *point, *function, *let_through;
    int naps;
    if (named != NULL && PyDict_GET_SIZE(named) > 0)
        return PyErr_Format(PyExc_TypeError, "Guarded takes no keyword arguments");
    if (!PyArg_ParseTuple(arguments, "O!UOpO", &state_type, &state, &point, &function, &naps, &let_through))
        return NULL;
    struct guarded *self = (struct guarded *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->vectorcall = guarded_call;
    self->state = (struct state *)Py_NewRef(state);
    self->point = Py_NewRef(point);
    self->function = Py_NewRef(function);
    self->let_through = Py_NewRef(let_through);
    self->naps = (char)naps;
    return (PyObject *)self;
}

static int guarded_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct guarded *self = (struct guarded *)object;
    Py_VISIT(self->state);
    Py_VISIT(self->point);
    Py_VISIT(self->function);
    Py_VISIT(self->let_through);
    return 0;
}

static int guarded_clear(PyObject *object)
{
    struct guarded *self = (struct guarded *)object;
    Py_CLEAR(self->state);
    Py_CLEAR(self->point);
    Py_CLEAR(self->function);
    Py_CLEAR(self->let_through);
    return 0;
}

static void guarded_free(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    guarded_clear(object);
    Py_TYPE(object)->tp_free(object);
}

static PyMemberDef guarded_members[] = {
    {"__wrapped__", T_OBJECT, offsetof(struct guarded, function), READONLY, "The function."},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject guarded_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = NAME("Guarded"),
    .tp_basicsize = sizeof(struct guarded),
    .tp_dealloc = guarded_free,
    .tp_doc = "Guarded(state, point, function, naps, let_through, /)\n--\n\nA function whose errors end here.",
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(struct guarded, vectorcall),
    .tp_new = guarded_new,
    .tp_traverse = guarded_traverse,
    .tp_clear = guarded_clear,
    .tp_members = guarded_members,
};

static PyObject *fault_at(PyObject *module, PyObject *point)
{
    (void)module;
    Py_XSETREF(fault, point == Py_None ? NULL : Py_NewRef(point));
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"fault_at", fault_at, METH_O, "fault_at(point, /)\n--\n\nMake the functions of a point raise, or of none with None."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_guard", .m_doc = "The guard around functions of ours.", .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__guard(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && (PyModule_AddType(module, &state_type) < 0 || PyModule_AddType(module, &guarded_type) < 0))
        Py_CLEAR(module);
    return module;
}
