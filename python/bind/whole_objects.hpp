// Refuses an object whose __init__ never ran (Cls.__new__(Cls), a subclass that forgets it): its
// methods would be handed memory that nobody filled. TypeError, as for an object of another class.
#pragma once

#include <pybind11/pybind11.h>

#include "bound_instance.hpp"
#include "bound_policy.hpp"

namespace pybind11::detail {

template <class T>
struct whole_object_caster : type_caster_base<T> {
  bool load(handle source, bool convert) {
    if (!type_caster_base<T>::load(source, convert)) return false;
    if (source.is_none()) return true;
    auto* const object = reinterpret_cast<instance*>(source.ptr());
    if (object->simple_layout) return object->simple_holder_constructed;
    for (const auto& part : values_and_holders(object))
      if (!part.holder_constructed()) return false;
    return true;
  }
};

template <>
struct type_caster<phe::python::BoundPolicy> : whole_object_caster<phe::python::BoundPolicy> {};
template <>
struct type_caster<phe::python::BoundInstance> : whole_object_caster<phe::python::BoundInstance> {};
template <>
struct type_caster<phe::Decision> : whole_object_caster<phe::Decision> {};

}  // namespace pybind11::detail
