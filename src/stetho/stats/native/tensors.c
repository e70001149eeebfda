#include "tensors.h"

struct torch torch;
struct names names;

int names_make(void)
{
    names.version = PyUnicode_InternFromString("_version");
    names.requires_grad = PyUnicode_InternFromString("requires_grad");
    names.grad_fn = PyUnicode_InternFromString("grad_fn");
    names.backward_hooks = PyUnicode_InternFromString("_backward_hooks");
    names.register_hooks = PyUnicode_InternFromString("_register_hook_dict");
    names.grad = PyUnicode_InternFromString("grad");
    names.layout = PyUnicode_InternFromString("layout");
    names.enter = PyUnicode_InternFromString("enter");
    names.leave = PyUnicode_InternFromString("leave");
    names.begin_pass = PyUnicode_InternFromString("begin_pass");
    names.end_pass = PyUnicode_InternFromString("end_pass");
    names.entry_seen = PyUnicode_InternFromString("entry_seen");
    return PyErr_Occurred() ? -1 : 0;
}

void exchange_read(PyObject *capsule)
{
    torch.exchange = NULL;
    if (!PyCapsule_IsValid(capsule, "dlpack_exchange_api"))
        return;
    const struct dl_exchange_header *header = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    while (header != NULL && header->major != 1)
        header = header->previous;
    const struct dl_exchange *found = (const struct dl_exchange *)header;
    if (found != NULL && found->borrow != NULL)
        torch.exchange = found;
}

/* Torch may refuse a tensor with any error; then it is measured in another way. Other exceptions are not about it. */
static int handed_back(void)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception))
        return -1;
    PyErr_Clear();
    return 0;
}

PyObject *modes_pause(void)
{
    PyObject *on = PyObject_CallNoArgs(torch.has_modes);
    PyObject *paused = on == Py_True ? PyObject_CallNoArgs(torch.pause) : NULL;
    PyObject *entered = paused == NULL ? NULL : PyObject_CallMethod(paused, "__enter__", NULL);
    Py_XDECREF(on);
    if (paused != NULL && entered == NULL)
        Py_CLEAR(paused);
    Py_XDECREF(entered);
    PyErr_Clear(); /* then they listen */
    return paused;
}

void modes_resume(PyObject *paused)
{
    if (paused == NULL)
        return;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    Py_XDECREF(PyObject_CallMethod(paused, "__exit__", "OOO", Py_None, Py_None, Py_None));
    PyErr_Restore(type, value, traceback);
    Py_DECREF(paused);
}

static int is_plain(PyObject *tensor)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(torch.types); at++)
        if ((PyObject *)Py_TYPE(tensor) == PyTuple_GET_ITEM(torch.types, at))
            return 1;
    return 0;
}

static int open_capsule(struct view *view, PyObject *detached)
{
    PyObject *capsule = PyObject_CallOneArg(torch.exported, detached);
    if (capsule == NULL)
        return handed_back();
    const struct dl_managed *managed = PyCapsule_GetPointer(capsule, "dltensor");
    if (managed == NULL) {
        Py_DECREF(capsule);
        return handed_back();
    }
    /* A capsule that nobody has taken over frees its tensor itself. */
    view->owner = capsule;
    return layout_read(&view->layout, &managed->tensor);
}

static int open_detached(struct view *view, PyObject *tensor)
{
    PyObject *detached = PyObject_CallOneArg(torch.detached, tensor);
    if (detached == NULL)
        return handed_back();
    int seen;
    if (torch.exchange == NULL) {
        seen = open_capsule(view, detached);
        Py_DECREF(detached);
        return seen;
    }
    struct dl_tensor borrowed;
    view->owner = detached;
    if (torch.exchange->borrow(detached, &borrowed) != 0)
        return handed_back();
    return layout_read(&view->layout, &borrowed);
}

static int open_borrowed(struct view *view, PyObject *tensor)
{
    struct dl_tensor borrowed;
    if (torch.exchange->borrow(tensor, &borrowed) != 0)
        return handed_back();
    if (!layout_read(&view->layout, &borrowed))
        return 0;
    if (!view_is_large(view)) {
        view->owner = Py_NewRef(tensor);
        return 1;
    }
    /* Another thread may give the tensor other memory while it is read; a detached one is ours alone. */
    return open_detached(view, tensor);
}

int view_open(struct view *view, PyObject *tensor)
{
    view->owner = NULL;
    if (!is_plain(tensor))
        return 0;
    PyObject *negated = PyObject_CallOneArg(torch.is_negated, tensor);
    if (negated == NULL)
        return handed_back();
    Py_DECREF(negated); /* one of the two that never go away */
    if (negated != Py_False)
        return 0;
    int seen = torch.exchange != NULL ? open_borrowed(view, tensor) : open_detached(view, tensor);
    if (seen != 1)
        view_close(view);
    return seen;
}

void view_close(struct view *view)
{
    Py_CLEAR(view->owner);
}

int view_is_large(const struct view *view)
{
    return layout_distinct(&view->layout) > LARGE / view->layout.item;
}
