/* The native stack of a thread that dies: written to a descriptor, then the handler that was there before goes on.

   Only functions that may be called inside of a signal handler are used there. The handler of `faulthandler` comes after
   ours and writes the Python stacks; it has also made the second stack on which an overflow of the first is handled. */

#define PY_SSIZE_T_CLEAN
#define _GNU_SOURCE
#include <Python.h>

#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define MOST_FRAMES 64
/* Our own handler, and the frame by which the system calls it. */
#define OWN_FRAMES 2

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define SIGNAL_COUNT ((int)(sizeof SIGNALS / sizeof *SIGNALS))

static struct sigaction previous[SIGNAL_COUNT];
static int descriptor = -1;

static void on_death(int number)
{
    for (int index = 0; index < SIGNAL_COUNT; index++)
        if (SIGNALS[index] == number)
            sigaction(number, &previous[index], NULL);
    static const char title[] = "Native stack (most recent call first):\n";
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES);
    if (count > OWN_FRAMES && write(descriptor, title, sizeof title - 1) > 0)
        backtrace_symbols_fd(frames + OWN_FRAMES, count - OWN_FRAMES, descriptor);
    /* Blocked as long as this handler runs, then given to the one before us, in this very thread. */
    raise(number);
}

static PyObject *enable(PyObject *module, PyObject *argument)
{
    (void)module;
    int wanted = PyObject_AsFileDescriptor(argument);
    if (wanted < 0)
        return NULL;
    if (descriptor >= 0) {
        descriptor = wanted;
        Py_RETURN_NONE;
    }
    descriptor = wanted;
    /* The first call loads a library, which is nothing to do while dying. */
    void *warm[1];
    backtrace(warm, 1);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_death;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < SIGNAL_COUNT; index++)
        if (sigaction(SIGNALS[index], &action, &previous[index]) != 0)
            return PyErr_SetFromErrno(PyExc_OSError);
    Py_RETURN_NONE;
}

static PyObject *disable(PyObject *module, PyObject *nothing)
{
    (void)module;
    (void)nothing;
    if (descriptor >= 0)
        for (int index = 0; index < SIGNAL_COUNT; index++) {
            struct sigaction now;
            if (sigaction(SIGNALS[index], NULL, &now) == 0 && now.sa_handler == on_death)
                sigaction(SIGNALS[index], &previous[index], NULL);
        }
    descriptor = -1;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"enable", enable, METH_O, "Write the native stack of a thread that dies to a file descriptor."},
    {"disable", disable, METH_NOARGS, "Give the signals back."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_stacks", .m_doc = "Native stacks of a dying thread.", .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__stacks(void)
{
    return PyModule_Create(&definition);
}
