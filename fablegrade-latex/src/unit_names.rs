//! Symbols of units of measurement.

/// Returns whether a name is the symbol of a unit.
pub(crate) fn is_unit(name: &str) -> bool {
    const UNITS: &[&str] = &[
        "m", "km", "dm", "cm", "mm", "nm", "pm", "in", "ft", "yd", "mi", "g", "kg", "mg", "t", "lb", "oz",
        "s", "ms", "ns", "sec", "min", "h", "hr", "d", "L", "l", "mL", "ml", "mol", "A", "mA", "K", "cd",
        "N", "kN", "J", "kJ", "MJ", "W", "kW", "MW", "V", "kV", "mV", "C", "F", "H", "T", "Wb", "Hz", "kHz",
        "MHz", "GHz", "Pa", "kPa", "hPa", "MPa", "bar", "eV", "keV", "MeV", "GeV", "kWh", "Wh", "rad", "ha",
        "mu", "Omega", "cal", "kcal", "lm", "lx", "mph", "rpm", "dB", "ppm", "u", "atm",
    ];
    UNITS.contains(&name)
}
