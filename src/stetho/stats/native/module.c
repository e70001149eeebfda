/* The native kernel as a Python module. It measures what it can read and leaves every other tensor to the function that
 * it was given for them. */
#include "histogram.h"
#include "instructions.h"
#include "layer_calls.h"
#include "measuring.h"
#include "sightings.h"
#include "summaries.h"
#include "update_rows.h"

static PyObject *otherwise; /* measures any tensor, in another way */

static PyObject *measure(PyObject *module, PyObject *tensor)
{
    (void)module;
    struct moments moments;
    if (!is_configured())
        return NULL;
    PyObject *paused = modes_pause();
    int seen = tensor_measure(&moments, tensor);
    modes_resume(paused);
    if (seen < 0)
        return NULL;
    return seen ? summary_new(&moments) : PyObject_CallOneArg(otherwise, tensor);
}

/* Summaries of those that we can read, None for the others. */
static PyObject *measure_ours(PyObject *tensors)
{
    PyObject *all = PyList_New(PyTuple_GET_SIZE(tensors));
    PyObject *paused = modes_pause();
    for (Py_ssize_t at = 0; all != NULL && at < PyTuple_GET_SIZE(tensors); at++) {
        struct moments moments;
        int seen = tensor_measure(&moments, PyTuple_GET_ITEM(tensors, at));
        PyObject *one = seen == 1 ? summary_new(&moments) : seen == 0 ? Py_NewRef(Py_None) : NULL;
        if (one == NULL)
            Py_CLEAR(all);
        else
            PyList_SET_ITEM(all, at, one);
    }
    modes_resume(paused);
    return all;
}

static PyObject *measure_all(PyObject *module, PyObject *tensors)
{
    (void)module;
    if (!is_configured())
        return NULL;
    PyObject *sequence = PySequence_Tuple(tensors); /* ours: nobody changes it while other threads run */
    if (sequence == NULL)
        return NULL;
    PyObject *all = measure_ours(sequence);
    for (Py_ssize_t at = 0; all != NULL && at < PyTuple_GET_SIZE(sequence); at++) {
        if (PyList_GET_ITEM(all, at) != Py_None)
            continue;
        PyObject *one = PyObject_CallOneArg(otherwise, PyTuple_GET_ITEM(sequence, at));
        if (one == NULL || PyList_SetItem(all, at, one) < 0)
            Py_CLEAR(all);
    }
    Py_DECREF(sequence);
    return all;
}

/* histogram(tensor, most): the counts as 32-bit numbers, or None for a tensor that we cannot read. */
static PyObject *histogram(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *tensor;
    long long most;
    struct view view;
    int32_t counts[BUCKETS];
    if (!is_configured() || !PyArg_ParseTuple(arguments, "OL", &tensor, &most))
        return NULL;
    if (most < 1)
        return PyErr_Format(PyExc_ValueError, "a sample has at least one element, not %lld", most);
    PyObject *paused = modes_pause();
    int seen = view_open(&view, tensor);
    modes_resume(paused);
    if (seen < 0)
        return NULL;
    if (seen == 0)
        Py_RETURN_NONE;
    /* A sample of an expanded tensor would be one of its few distinct elements. */
    int is_counted = view.layout.repeats == 1 || view.layout.count <= most;
    if (is_counted)
        histogram_of(counts, &view.layout, sample_step(&view.layout, most));
    view_close(&view);
    if (!is_counted)
        Py_RETURN_NONE;
    return PyByteArray_FromStringAndSize((const char *)counts, sizeof counts);
}

static PyObject *configure(PyObject *module, PyObject *arguments, PyObject *named)
{
    (void)module;
    static char *names[] = {"types", "is_negated", "detached", "exported", "has_modes", "pause",
                            "exchange", "summary", "otherwise", "hooks", "strided", NULL};
    PyObject *types, *is_negated, *detached, *exported, *has_modes, *pause, *exchange, *summary, *other, *hooks, *strided;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "$O!OOOOOOO!OOO", names, &PyTuple_Type, &types, &is_negated,
                                     &detached, &exported, &has_modes, &pause, &exchange, &PyType_Type, &summary,
                                     &other, &hooks, &strided))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)summary, &PyTuple_Type)) {
        PyErr_SetString(PyExc_TypeError, "a summary is a tuple");
        return NULL;
    }
    exchange_read(exchange);
    Py_XSETREF(torch.types, Py_NewRef(types));
    Py_XSETREF(torch.is_negated, Py_NewRef(is_negated));
    Py_XSETREF(torch.detached, Py_NewRef(detached));
    Py_XSETREF(torch.exported, Py_NewRef(exported));
    Py_XSETREF(torch.has_modes, Py_NewRef(has_modes));
    Py_XSETREF(torch.pause, Py_NewRef(pause));
    Py_XSETREF(summary_type, (PyTypeObject *)Py_NewRef(summary));
    Py_XSETREF(otherwise, Py_NewRef(other));
    Py_XSETREF(torch.hooks, Py_NewRef(hooks));
    Py_XSETREF(torch.strided, Py_NewRef(strided));
    return PyUnicode_FromString(torch.exchange != NULL ? "exchange" : "capsule");
}

static PyObject *use_instructions(PyObject *module, PyObject *name)
{
    (void)module;
    const char *text = PyUnicode_AsUTF8(name);
    if (text == NULL)
        return NULL;
    return PyBool_FromLong(instructions_choose(text));
}

static PyObject *active_instructions(PyObject *module, PyObject *nothing)
{
    (void)module;
    (void)nothing;
    return PyUnicode_FromString(instructions->name);
}

static PyMethodDef methods[] = {
    {"measure", measure, METH_O, "measure(tensor, /)\n--\n\nThe summary of one tensor."},
    {"measure_all", measure_all, METH_O, "measure_all(tensors, /)\n--\n\nThe summaries of many tensors, in order."},
    {"sum_of_squares", sum_of_squares, METH_O, "sum_of_squares(tensors, /)\n--\n\nOf all elements; None if unreadable."},
    {"gradient_power", gradient_power, METH_O,
     "gradient_power(parameters, /)\n--\n\nThe sum of squares of their gradients; None if there is none, or unreadable."},
    {"histogram", histogram, METH_VARARGS, "histogram(tensor, most, /)\n--\n\nCounts by power of two, as bytes."},
    {"configure", (PyCFunction)(void (*)(void))configure, METH_VARARGS | METH_KEYWORDS,
     "Tell what torch is here; gives back the way in which tensors come."},
    {"use_instructions", use_instructions, METH_O, "Use vectors of that name, if this processor has them."},
    {"active_instructions", active_instructions, METH_NOARGS, "The name of the vectors in use."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_native",
    .m_doc = "The native kernel: the few numbers of a tensor at the speed of memory.",
    .m_size = -1,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__native(void)
{
    instructions_choose_best();
    PyObject *module = names_make() < 0 ? NULL : PyModule_Create(&definition);
    PyTypeObject *types[] = {&update_rows_type, &sightings_type, &layer_calls_type, &cell_type, &gradient_type};
    for (size_t at = 0; module != NULL && at < sizeof types / sizeof *types; at++)
        if (PyModule_AddType(module, types[at]) < 0)
            Py_CLEAR(module);
    return module;
}
