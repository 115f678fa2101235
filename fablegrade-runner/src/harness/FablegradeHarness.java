// Finds the method in the solution's classes by reflection, reads its arguments as JSON from standard input, calls it
// and writes its value to descriptor 3.
import java.io.File;
import java.io.FileOutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

final class FablegradeHarness {
    private final String text;
    private int at;

    private FablegradeHarness(String text) {
        this.text = text;
    }

    public static void main(String[] words) throws Throwable {
        String all = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        int end = all.indexOf('\n');
        List<?> given = (List<?>) new FablegradeHarness(all.substring(end + 1)).value();
        Method method = find(words[0], given.size());
        Type[] types = method.getGenericParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) arguments[i] = convert(given.get(i), types[i], "argument " + (i + 1));
        Object target = null;
        if (!Modifier.isStatic(method.getModifiers())) {
            Constructor<?> constructor = method.getDeclaringClass().getDeclaredConstructor();
            constructor.setAccessible(true);
            target = constructor.newInstance();
        }
        Object value;
        try {
            value = method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
        StringBuilder out = new StringBuilder(all.substring(0, end)).append(' ');
        write(out, value);
        System.out.flush();
        try (FileOutputStream channel = new FileOutputStream("/proc/self/fd/3")) {
            channel.write(out.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        }
        System.exit(0);
    }

    private static Method find(String name, int count) throws Exception {
        File[] files = new File(System.getProperty("java.class.path")).listFiles();
        List<String> names = new ArrayList<>();
        for (File file : files) {
            String one = file.getName();
            if (one.endsWith(".class") && !one.startsWith("FablegradeHarness")) names.add(one.substring(0, one.length() - 6));
        }
        names.sort((a, b) -> rank(a) != rank(b) ? rank(a) - rank(b) : a.compareTo(b));
        Method near = null;
        for (String one : names) {
            for (Method method : Class.forName(one, false, FablegradeHarness.class.getClassLoader()).getDeclaredMethods()) {
                if (!method.getName().equals(name) || method.isSynthetic()) continue;
                method.setAccessible(true);
                if (method.getParameterCount() == count) return method;
                near = method;
            }
        }
        if (near == null) throw new NoSuchMethodException("there is no method `" + name + "`");
        throw new NoSuchMethodException("`" + name + "` takes " + near.getParameterCount() + " arguments, the case has " + count);
    }

    private static int rank(String name) {
        return name.equals("Solution") ? 0 : name.equals("Main") ? 1 : 2;
    }

    private static RuntimeException wrong(String place, String wanted, Object found) {
        return new IllegalArgumentException(place + ": " + wanted + " expected, found " + found);
    }

    private static Object convert(Object value, Type type, String place) {
        if (type instanceof GenericArrayType) return array(value, ((GenericArrayType) type).getGenericComponentType(), place);
        if (type instanceof WildcardType) return convert(value, ((WildcardType) type).getUpperBounds()[0], place);
        Type[] parts = type instanceof ParameterizedType ? ((ParameterizedType) type).getActualTypeArguments() : new Type[0];
        Class<?> raw = raw(type);
        if (raw.isArray()) return array(value, raw.getComponentType(), place);
        if (raw == Object.class) return value;
        if (raw == Optional.class) return Optional.ofNullable(value == null ? null : convert(value, parts[0], place));
        if (value == null) {
            if (raw.isPrimitive()) throw wrong(place, raw.getName(), "null");
            return null;
        }
        if (raw == String.class || raw == CharSequence.class) {
            if (value instanceof String) return value;
            throw wrong(place, "a string", value);
        }
        if (raw == char.class || raw == Character.class) {
            if (value instanceof String && ((String) value).length() == 1) return ((String) value).charAt(0);
            throw wrong(place, "a string of one character", value);
        }
        if (raw == boolean.class || raw == Boolean.class) {
            if (value instanceof Boolean) return value;
            throw wrong(place, "true or false", value);
        }
        if (value instanceof Number) {
            try {
                BigDecimal number = new BigDecimal(value.toString());
                if (raw == int.class || raw == Integer.class) return number.intValueExact();
                if (raw == long.class || raw == Long.class) return number.longValueExact();
                if (raw == short.class || raw == Short.class) return number.shortValueExact();
                if (raw == byte.class || raw == Byte.class) return number.byteValueExact();
                if (raw == double.class || raw == Double.class || raw == Number.class) return finite(number.doubleValue());
                if (raw == float.class || raw == Float.class) return (float) finite(number.floatValue());
                if (raw == BigInteger.class) return number.toBigIntegerExact();
                if (raw == BigDecimal.class) return number;
            } catch (ArithmeticException range) {
                throw wrong(place, "a number within the range of " + raw.getSimpleName(), value);
            }
        }
        if (Collection.class.isAssignableFrom(raw) || raw == Iterable.class) {
            if (!(value instanceof List)) throw wrong(place, "an array", value);
            Collection<Object> all;
            if (raw.isAssignableFrom(ArrayList.class)) all = new ArrayList<>();
            else if (raw.isAssignableFrom(LinkedHashSet.class)) all = new LinkedHashSet<>();
            else if (raw.isAssignableFrom(TreeSet.class)) all = new TreeSet<>();
            else if (raw.isAssignableFrom(LinkedList.class)) all = new LinkedList<>();
            else if (raw.isAssignableFrom(ArrayDeque.class)) all = new ArrayDeque<>();
            else throw wrong(place, "a parameter type with a JSON form", raw.getName());
            for (Object one : (List<?>) value) all.add(parts.length == 1 ? convert(one, parts[0], place) : one);
            return all;
        }
        if (Map.class.isAssignableFrom(raw)) {
            if (!(value instanceof Map)) throw wrong(place, "an object", value);
            Map<Object, Object> all = raw.isAssignableFrom(LinkedHashMap.class) ? new LinkedHashMap<>() : new TreeMap<>();
            for (Map.Entry<?, ?> one : ((Map<?, ?>) value).entrySet())
                all.put(parts.length == 2 && parts[0] != String.class ? convert(new FablegradeHarness(one.getKey().toString()).value(), parts[0], place) : one.getKey(),
                        parts.length == 2 ? convert(one.getValue(), parts[1], place) : one.getValue());
            return all;
        }
        throw wrong(place, "a value for " + raw.getName(), value);
    }

    private static double finite(double number) {
        if (Double.isInfinite(number)) throw new ArithmeticException("too large");
        return number;
    }

    private static Class<?> raw(Type type) {
        if (type instanceof Class) return (Class<?>) type;
        if (type instanceof ParameterizedType) return (Class<?>) ((ParameterizedType) type).getRawType();
        return Object.class;
    }

    private static Object array(Object value, Type element, String place) {
        if (!(value instanceof List)) throw wrong(place, "an array", value);
        List<?> list = (List<?>) value;
        Class<?> raw = element instanceof GenericArrayType
                ? Array.newInstance(raw(((GenericArrayType) element).getGenericComponentType()), 0).getClass()
                : raw(element);
        Object all = Array.newInstance(raw, list.size());
        for (int i = 0; i < list.size(); i++) Array.set(all, i, convert(list.get(i), element, place));
        return all;
    }

    private static void write(StringBuilder out, Object value) {
        if (value == null || value instanceof Boolean || value instanceof BigInteger || value instanceof Long
                || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            out.append(value);
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) throw new ArithmeticException(number + " has no JSON form");
            out.append(value);
        } else if (value instanceof BigDecimal) {
            out.append(value);
        } else if (value instanceof CharSequence || value instanceof Character || value instanceof Enum) {
            quote(out, value.toString());
        } else if (value instanceof Optional) {
            write(out, ((Optional<?>) value).orElse(null));
        } else if (value instanceof Map) {
            String between = "{";
            if (((Map<?, ?>) value).isEmpty()) out.append('{');
            for (Map.Entry<?, ?> one : ((Map<?, ?>) value).entrySet()) {
                out.append(between);
                quote(out, String.valueOf(one.getKey()));
                write(out.append(':'), one.getValue());
                between = ",";
            }
            out.append('}');
        } else if (value instanceof Iterable) {
            String between = "";
            out.append('[');
            for (Object one : (Iterable<?>) value) {
                write(out.append(between), one);
                between = ",";
            }
            out.append(']');
        } else if (value.getClass().isArray()) {
            out.append('[');
            for (int i = 0; i < Array.getLength(value); i++) write(i == 0 ? out : out.append(','), Array.get(value, i));
            out.append(']');
        } else {
            throw new IllegalArgumentException("a value of type " + value.getClass().getName() + " has no JSON form");
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < 32) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        out.append('"');
    }

    private char look() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean take(char wanted) {
        if (look() != wanted) return false;
        at++;
        return true;
    }

    private Object value() {
        if (take('[')) {
            List<Object> all = new ArrayList<>();
            if (take(']')) return all;
            do all.add(value());
            while (take(','));
            take(']');
            return all;
        }
        if (take('{')) {
            Map<String, Object> all = new LinkedHashMap<>();
            if (take('}')) return all;
            do {
                look();
                String key = string();
                take(':');
                all.put(key, value());
            } while (take(','));
            take('}');
            return all;
        }
        if (look() == '"') return string();
        int from = at;
        while (at < text.length() && " \t\n\r,]}:".indexOf(text.charAt(at)) < 0) at++;
        String word = text.substring(from, at);
        switch (word) {
            case "null": return null;
            case "true": return true;
            case "false": return false;
            default:
        }
        if (word.indexOf('.') >= 0 || word.indexOf('e') >= 0 || word.indexOf('E') >= 0) return Double.valueOf(word);
        BigInteger number = new BigInteger(word);
        if (number.bitLength() < 32) return number.intValue();
        return number.bitLength() < 64 ? (Object) number.longValue() : number;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = text.charAt(at++);
            int known = "\"\\/bfnrt".indexOf(c);
            if (known >= 0) {
                out.append("\"\\/\b\f\n\r\t".charAt(known));
            } else {
                out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                at += 4;
            }
        }
        at++;
        return out.toString();
    }
}
