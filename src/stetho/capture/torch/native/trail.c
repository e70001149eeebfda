/* The operations of a traced program, one after another: what each one is, where the program was, in which layer. A few
 * references for each; what they mean is read when somebody asks. The twin in Python is capture/torch/trail.py. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

enum { REFERENCES = 5, NUMBERS = 4, POSITIONS = 1 << 10 };

struct row {
    PyObject *references[REFERENCES]; /* kind, phase, position, layer, node */
    long long numbers[NUMBERS];       /* sequence, given, made, end */
};

/* A place in the program's code, kept as one tuple for all operations that come from there. */
struct position {
    PyCodeObject *code;
    int place;
    PyObject *tuple;
};

struct trail {
    PyObject_HEAD
    PyObject *is_users;  /* called with a code object: does it belong to the program? */
    PyObject *node;      /* gives the autograd node at work, or None */
    PyObject *sequence;  /* gives the number of the next autograd node */
    PyObject *stops;     /* tuple of code objects at which the search for the program's code ends */
    PyObject *files;     /* dict: is it a file of the program's? */
    struct row *rows;
    Py_ssize_t count;
    Py_ssize_t room;
    struct position positions[POSITIONS];
};

static PyObject *trail_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    static char *names[] = {"is_users", "node", "sequence", "stops", NULL};
    PyObject *is_users, *node, *sequence, *stops;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "OOOO!", names, &is_users, &node, &sequence, &PyTuple_Type,
                                     &stops))
        return NULL;
    struct trail *self = (struct trail *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->is_users = Py_NewRef(is_users);
    self->node = Py_NewRef(node);
    self->sequence = Py_NewRef(sequence);
    self->stops = Py_NewRef(stops);
    self->files = PyDict_New();
    if (self->files == NULL)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *trail_clear(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    struct trail *self = (struct trail *)object;
    Py_ssize_t count = self->count;
    self->count = 0;
    for (Py_ssize_t at = 0; at < count; at++)
        for (int each = 0; each < REFERENCES; each++)
            Py_XDECREF(self->rows[at].references[each]);
    Py_RETURN_NONE;
}

static void trail_free(PyObject *object)
{
    struct trail *self = (struct trail *)object;
    Py_DECREF(trail_clear(object, NULL));
    PyMem_Free(self->rows);
    for (int at = 0; at < POSITIONS; at++) {
        Py_XDECREF(self->positions[at].code);
        Py_XDECREF(self->positions[at].tuple);
    }
    Py_XDECREF(self->is_users);
    Py_XDECREF(self->node);
    Py_XDECREF(self->sequence);
    Py_XDECREF(self->stops);
    Py_XDECREF(self->files);
    Py_TYPE(object)->tp_free(object);
}

/* 1: of the program; 0: of a library; -1: an exception. */
static int is_users(struct trail *self, PyCodeObject *code)
{
    PyObject *known = PyDict_GetItemWithError(self->files, code->co_filename);
    if (known != NULL)
        return known == Py_True;
    if (PyErr_Occurred())
        return -1;
    PyObject *answer = PyObject_CallOneArg(self->is_users, (PyObject *)code);
    int is_so = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    if (is_so >= 0 && PyDict_SetItem(self->files, code->co_filename, is_so ? Py_True : Py_False) < 0)
        return -1;
    return is_so;
}

static int is_stop(struct trail *self, PyCodeObject *code)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(self->stops); at++)
        if (PyTuple_GET_ITEM(self->stops, at) == (PyObject *)code)
            return 1;
    return 0;
}

/* (code, place), new reference. */
static PyObject *position_of(struct trail *self, PyCodeObject *code, int place)
{
    struct position *known = &self->positions[((uintptr_t)code / 16 * 31 + (uintptr_t)place) % POSITIONS];
    if (known->code != code || known->place != place) {
        PyObject *tuple = Py_BuildValue("(Oi)", code, place);
        if (tuple == NULL)
            return NULL;
        Py_XSETREF(known->code, (PyCodeObject *)Py_NewRef(code));
        Py_XSETREF(known->tuple, tuple);
        known->place = place;
    }
    return Py_NewRef(known->tuple);
}

/* The innermost place in the program's own code, None if there is none before a stop; NULL with an exception. */
static PyObject *position_now(struct trail *self)
{
    PyObject *found = NULL;
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    while (frame != NULL) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        int ours = is_stop(self, code) ? 2 : is_users(self, code);
        if (ours == 1)
            found = position_of(self, code, PyFrame_GetLasti(frame));
        Py_DECREF(code);
        PyFrameObject *outer = ours == 0 ? PyFrame_GetBack(frame) : NULL;
        Py_DECREF(frame);
        frame = outer;
    }
    return found != NULL || PyErr_Occurred() ? found : Py_NewRef(Py_None);
}

/* The number that joins an operation with its gradient; and the name of the node where one is at work, else None. */
static PyObject *node_now(struct trail *self, long long *sequence)
{
    PyObject *node = PyObject_CallNoArgs(self->node);
    if (node == NULL)
        return NULL;
    PyObject *number = node == Py_None ? PyObject_CallNoArgs(self->sequence)
                                       : PyObject_CallMethod(node, "_sequence_nr", NULL);
    /* The autograd node of an operation is made just before it comes here, and has the number before this one. Nodes that
     * add up gradients have the largest number there is, here -1. */
    *sequence = number == NULL ? -1 : (long long)PyLong_AsUnsignedLongLongMask(number) - (node == Py_None);
    Py_XDECREF(number);
    PyObject *name = PyErr_Occurred() ? NULL
                     : node == Py_None ? Py_NewRef(Py_None)
                                       : PyObject_CallMethod(node, "name", NULL);
    Py_DECREF(node);
    return name;
}

static int row_room(struct trail *self)
{
    if (self->count < self->room)
        return 0;
    Py_ssize_t room = self->room ? 2 * self->room : 256;
    struct row *grown = PyMem_Realloc(self->rows, (size_t)room * sizeof *grown);
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->rows = grown;
    self->room = room;
    return 0;
}

/* add(kind, phase, line, layers, given, made, end): the number of the row. */
static PyObject *trail_add(PyObject *object, PyObject *const *given, Py_ssize_t count)
{
    struct trail *self = (struct trail *)object;
    struct row row;
    if (count != 7 || !PyList_Check(given[3])) {
        PyErr_SetString(PyExc_TypeError, "expected kind, phase, line, layers as a list, given, made, end");
        return NULL;
    }
    for (int at = 0; at < 3; at++)
        row.numbers[1 + at] = PyLong_AsLongLong(given[4 + at]);
    if (PyErr_Occurred())
        return NULL;
    PyObject *node = node_now(self, &row.numbers[0]);
    PyObject *position = node == NULL ? NULL : position_now(self);
    if (position == NULL || row_room(self) < 0) {
        Py_XDECREF(node);
        Py_XDECREF(position);
        return NULL;
    }
    if (position == Py_None && node == Py_None)
        Py_SETREF(position, Py_NewRef(given[2]));
    Py_ssize_t depth = PyList_GET_SIZE(given[3]);
    row.references[0] = Py_NewRef(given[0]);
    row.references[1] = Py_NewRef(given[1]);
    row.references[2] = position;
    row.references[3] = Py_NewRef(depth ? PyList_GET_ITEM(given[3], depth - 1) : Py_None);
    row.references[4] = node;
    self->rows[self->count] = row;
    return PyLong_FromSsize_t(self->count++);
}

static PyObject *trail_row(PyObject *object, PyObject *number)
{
    struct trail *self = (struct trail *)object;
    Py_ssize_t at = PyLong_AsSsize_t(number);
    if (at == -1 && PyErr_Occurred())
        return NULL;
    if (at < 0 || at >= self->count)
        return PyErr_Format(PyExc_IndexError, "no row has the number %zd", at);
    const struct row *row = &self->rows[at];
    PyObject *const *all = row->references;
    return Py_BuildValue("(OOOOOLLLL)", all[0], all[1], all[2], all[3], all[4], row->numbers[0], row->numbers[1],
                         row->numbers[2], row->numbers[3]);
}

static Py_ssize_t trail_length(PyObject *object)
{
    return ((struct trail *)object)->count;
}

static PyMethodDef methods[] = {
    {"add", (PyCFunction)(void (*)(void))trail_add, METH_FASTCALL,
     "add(kind, phase, line, layers, given, made, end, /)\n--\n\nWrite an operation down; gives its number."},
    {"row", trail_row, METH_O,
     "row(number, /)\n--\n\nKind, phase, position, layer, node, sequence, given, made, end."},
    {"clear", trail_clear, METH_NOARGS, "clear()\n--\n\nForget everything; numbers begin anew."},
    {NULL, NULL, 0, NULL},
};

static PySequenceMethods as_sequence = {.sq_length = trail_length};

static PyTypeObject trail_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "stetho.capture.torch._trail.Trail",
    .tp_doc = "Trail(is_users, node, sequence, stops)\n--\n\nThe operations of a traced program, one after another.",
    .tp_basicsize = sizeof(struct trail),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = trail_new,
    .tp_dealloc = trail_free,
    .tp_methods = methods,
    .tp_as_sequence = &as_sequence,
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_trail", .m_doc = "The operations of a traced program.", .m_size = -1,
};

PyMODINIT_FUNC PyInit__trail(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && PyModule_AddType(module, &trail_type) < 0)
        Py_CLEAR(module);
    return module;
}
