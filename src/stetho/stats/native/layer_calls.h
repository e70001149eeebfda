/* The layers of a model while it runs: what they give back, and the gradients that come to it, measured where they are.
 */
#ifndef STETHO_LAYER_CALLS_H
#define STETHO_LAYER_CALLS_H

#include "records.h"
#include "tensors.h"

/* Stands in for `Module.__call__`. */
struct layer_calls {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *original; /* what it stands in for */
    PyObject *owner;    /* does in Python what is not done here */
    PyObject *cells;    /* by the address of the module */
    PyObject *followed; /* weak references to modules whose calls from outside are passes, by their addresses */
    PyObject *pass;     /* the call from outside that is under way; NULL when its layers are not looked at here */
    int armed;
    int grad;   /* gradients are looked at as well */
    int full;   /* all numbers; else only whether they are finite */
    int finite; /* what is not finite is told to the owner at once */
    PyObject *last; /* what the last layer gave: its container gives the same */
    long long version;
    struct moments last_moments;
    PyObject *last_gradient; /* the hook on it */
    Py_ssize_t last_hooks;   /* how many there were then */
    struct records records;
    long long nanoseconds; /* that were spent here */
};

extern PyTypeObject layer_calls_type;

/* How a tensor was looked at. */
enum look { UNREADABLE, MEASURED, NO_REAL_NUMBERS };

/* Measure a tensor, and tell the owner when it is not finite; a `look`, or -1 with an exception. */
int layer_look(struct layer_calls *calls, struct cell *cell, enum role role, PyObject *tensor, int full, int finite,
               struct moments *moments);

/* Call a module, and look at what it gives. */
PyObject *layer_call(PyObject *calls, PyObject *const *arguments, size_t count, PyObject *named);

/* A layer gave this; -1 with an exception that is not ours. */
int layer_done(struct layer_calls *calls, struct cell *cell, PyObject *module, PyObject *output);

/* Call a module that is followed: where the owner says that a pass begins, it is told of its end as well. */
PyObject *followed_call(struct layer_calls *calls, PyObject *const *arguments, size_t count, PyObject *named);

/* The same for one that is not, or whose call is no pass: its layers are looked at. */
PyObject *inner_call(struct layer_calls *calls, PyObject *const *arguments, size_t count, PyObject *named, int followed);

/* Whether calls of a module from outside are passes; -1 with an exception. */
int is_followed(struct layer_calls *calls, PyObject *module);

/* What stands between the module and the keywords of a call, as a tuple; NULL with an exception. */
PyObject *positional_of(PyObject *const *arguments, size_t count);

/* Tell the owner what a call gave, or None where it raised; an exception of the program stays, and is given on. */
PyObject *told_of_end(PyObject *owner, PyObject *word, PyObject *module, PyObject *positional, PyObject *result);

/* What we know of a module; NULL when that is nothing. */
struct cell *cell_of(struct layer_calls *calls, PyObject *module);

/* Hand an error of ours to the owner: 0; one that is not ours stays set: -1. */
int layer_failed(struct layer_calls *calls);

long long nanoseconds_now(void);

/* The hook that a tensor's gradient comes to; a callable. */
extern PyTypeObject gradient_type;

PyObject *gradient_new(struct layer_calls *calls, struct cell *cell);

/* Let the hook measure for another layer as well. -1 with an exception. */
int gradient_extend(PyObject *gradient, struct cell *cell);

/* Hang a hook to what a layer gave; -1 with an exception. */
int gradient_follow(struct layer_calls *calls, struct cell *cell, PyObject *output);

#endif
