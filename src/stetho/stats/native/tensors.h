/* From a Python object to the memory of a tensor. */
#ifndef STETHO_TENSORS_H
#define STETHO_TENSORS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "layout.h"

enum { LARGE = 1 << 18 }; /* bytes; for more than that other threads may run */

/* What we know of torch, given by Python once. */
struct torch {
    PyObject *types;      /* tuple of the exact types that are plain tensors */
    PyObject *is_negated; /* torch.Tensor.is_neg: a view with flipped sign, which DLPack does not tell */
    PyObject *detached;   /* torch.Tensor.detach */
    PyObject *exported;   /* torch.utils.dlpack.to_dlpack */
    PyObject *has_modes;  /* whether somebody listens to every call of torch */
    PyObject *pause;      /* torch._C.DisableTorchFunction: a context in which nobody does */
    PyObject *hooks;      /* collections.OrderedDict: what torch keeps the hooks of a tensor in */
    PyObject *strided;    /* torch.strided: the layout of tensors that have memory of their own */
    const struct dl_exchange *exchange; /* NULL in a torch without it */
};

/* Names of attributes, made once: each is asked for several times in every step. Of tensors: */
struct names {
    PyObject *version, *requires_grad, *grad_fn, *backward_hooks, *register_hooks, *grad, *layout;
    /* Of those who hear of calls of modules, and of the pass that they make of one. */
    PyObject *enter, *leave, *begin_pass, *end_pass, *entry_seen;
};

extern struct torch torch;
extern struct names names;

/* -1 with an exception. */
int names_make(void);

/* Let nobody listen to what we ask of torch, neither the program's modes nor our own: it is not the program's doing, and
 * each of them costs more than the measurement. NULL when nobody listens anyway. */
PyObject *modes_pause(void);

/* Let them listen again; an exception that is set stays so. */
void modes_resume(PyObject *paused);

struct view {
    struct layout layout;
    PyObject *owner; /* keeps the memory */
};

/* Look at a tensor. 1: the view is open; 0: none of the tensors that we can read; -1: an exception that is not ours to
 * swallow, such as an interrupt. */
int view_open(struct view *view, PyObject *tensor);

void view_close(struct view *view);

/* Whether so much is to be read that other threads should run meanwhile. */
int view_is_large(const struct view *view);

/* Take the exchange table out of its capsule; what torch does not have, or has in another version, is left NULL. */
void exchange_read(PyObject *capsule);

#endif
