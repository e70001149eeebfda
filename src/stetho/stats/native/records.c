#include "records.h"

#include <math.h>
#include <string.h>

#include "summaries.h"
#include "types.h"

const char *const ROLE_NAMES[ROLES] = {"act", "act_grad"};

struct cell *cell_new(PyObject *module, PyObject *layer, int is_entry)
{
    PyObject *reference = PyWeakref_NewRef(module, NULL);
    struct cell *cell = reference == NULL ? NULL : PyObject_New(struct cell, &cell_type);
    if (cell == NULL) {
        Py_XDECREF(reference);
        return NULL;
    }
    cell->module = reference;
    cell->layer = Py_NewRef(layer);
    cell->is_entry = is_entry;
    cell->calls = 0;
    for (int role = 0; role < ROLES; role++) {
        cell->last[role] = 0;
        for (int phase = 0; phase < PHASES; phase++) {
            cell->series[role][phase] = -1;
            cell->row[role][phase] = 0;
        }
    }
    return cell;
}

static void cell_free(PyObject *object)
{
    struct cell *cell = (struct cell *)object;
    Py_XDECREF(cell->module);
    Py_XDECREF(cell->layer);
    PyObject_Free(object);
}

PyTypeObject cell_type = {
    TYPE_OF_MODULE("Cell", struct cell, cell_free),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
};

static int reserve(struct records *records)
{
    if (records->count < records->room)
        return 0;
    Py_ssize_t room = records->room ? 2 * records->room : 64;
    struct record *grown = PyMem_Realloc(records->all, (size_t)room * sizeof *grown);
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    records->all = grown;
    records->room = room;
    return 0;
}

int records_add(struct records *records, struct cell *cell, enum role role, PyObject *pass,
                const struct moments *moments)
{
    Py_ssize_t last = cell->last[role];
    struct record *known = last < records->count ? &records->all[last] : NULL;
    if (known != NULL && known->cell == cell && known->role == role && known->pass == pass) {
        moments_join(&known->moments, moments);
        known->calls++;
        return 0;
    }
    if (reserve(records) < 0)
        return -1;
    cell->last[role] = records->count;
    records->all[records->count++] =
        (struct record){(struct cell *)Py_NewRef((PyObject *)cell), Py_NewRef(pass), role, 1, *moments};
    return 0;
}

static int is_chosen(const struct record *record, PyObject *pass)
{
    return pass == NULL || record->pass == pass;
}

/* Only the end of a pass tells what it was for. -1 with an exception. */
static int phase_of(PyObject *pass, PyObject **name)
{
    *name = PyObject_GetAttrString(pass, "phase");
    if (*name == NULL || !PyUnicode_Check(*name))
        return -1;
    return PyUnicode_CompareWithASCIIString(*name, "train") == 0 ? TRAIN : EVAL;
}

static int find_series(const struct record *record, PyObject *owner, int *phase)
{
    PyObject *name;
    *phase = phase_of(record->pass, &name);
    double *series = *phase < 0 ? NULL : &record->cell->series[record->role][*phase];
    if (series != NULL && *series < 0) {
        PyObject *number =
            PyObject_CallMethod(owner, "series", "OsO", record->cell->layer, ROLE_NAMES[record->role], name);
        *series = number == NULL ? -1 : PyFloat_AsDouble(number);
        Py_XDECREF(number);
    }
    Py_XDECREF(name);
    return PyErr_Occurred() ? -1 : 0;
}

/* Passes of one phase go into one row. -1 with an exception. */
static Py_ssize_t put_together(struct records *records, PyObject *pass, PyObject *owner, struct record *rows,
                               int *phases)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t at = 0; at < records->count; at++) {
        const struct record *record = &records->all[at];
        int phase;
        if (!is_chosen(record, pass))
            continue;
        if (find_series(record, owner, &phase) < 0)
            return -1;
        Py_ssize_t *place = &record->cell->row[record->role][phase];
        struct record *row = *place < count ? &rows[*place] : NULL;
        if (row != NULL && row->cell == record->cell && row->role == record->role && phases[*place] == phase) {
            moments_join(&row->moments, &record->moments);
            row->calls += record->calls;
        } else {
            *place = count;
            phases[count] = phase;
            rows[count++] = *record;
        }
    }
    return count;
}

PyObject *records_rows(struct records *records, PyObject *pass, PyObject *owner)
{
    size_t most = (size_t)records->count + 1;
    struct record *rows = PyMem_Malloc(most * sizeof *rows);
    int *phases = PyMem_Malloc(most * sizeof *phases);
    PyObject *bytes = NULL;
    Py_ssize_t count = rows == NULL || phases == NULL ? -1 : put_together(records, pass, owner, rows, phases);
    if (rows == NULL || phases == NULL)
        PyErr_NoMemory();
    if (count >= 0)
        bytes = PyByteArray_FromStringAndSize(NULL, count * COLUMNS * (Py_ssize_t)sizeof(double));
    for (Py_ssize_t at = 0; bytes != NULL && at < count; at++) {
        double row[COLUMNS];
        double series = rows[at].cell->series[rows[at].role][phases[at]];
        row_write(row, series, (double)rows[at].calls, &rows[at].moments, NAN);
        memcpy(PyByteArray_AS_STRING(bytes) + at * (Py_ssize_t)sizeof row, row, sizeof row);
    }
    PyMem_Free(rows);
    PyMem_Free(phases);
    return bytes;
}

PyObject *records_items(const struct records *records, PyObject *pass)
{
    PyObject *items = PyList_New(0);
    for (Py_ssize_t at = 0; items != NULL && at < records->count; at++) {
        const struct record *record = &records->all[at];
        if (!is_chosen(record, pass))
            continue;
        PyObject *item = Py_BuildValue("(OsOLN)", record->cell->layer, ROLE_NAMES[record->role], record->pass,
                                       record->calls, summary_new(&record->moments));
        if (item == NULL || PyList_Append(items, item) < 0)
            Py_CLEAR(items);
        Py_XDECREF(item);
    }
    return items;
}

void records_forget(struct records *records, PyObject *pass)
{
    Py_ssize_t kept = 0;
    for (Py_ssize_t at = 0; at < records->count; at++) {
        struct record record = records->all[at];
        if (is_chosen(&record, pass))
            continue;
        records->all[at] = records->all[kept];
        records->all[kept] = record;
        record.cell->last[record.role] = kept++;
    }
    while (records->count > kept) {
        struct record gone = records->all[--records->count];
        Py_DECREF((PyObject *)gone.cell);
        Py_DECREF(gone.pass);
    }
}
