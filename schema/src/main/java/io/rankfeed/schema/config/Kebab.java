package io.rankfeed.schema.config;

import java.util.Locale;

/** Java names as users write them. */
final class Kebab {
    private Kebab() {}

    /** {@code balanceWithin} is {@code balance-within}. */
    static String ofCamel(String name) {
        StringBuilder kebab = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                kebab.append('-');
            }
            kebab.append(Character.toLowerCase(c));
        }
        return kebab.toString();
    }

    /** {@code RandomCrop} is {@code random-crop}. */
    static String ofClass(Class<?> type) {
        return ofCamel(type.getSimpleName()).substring(1);
    }

    /** {@code ON_SHORTAGE} is {@code on-shortage}. */
    static String ofConstant(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
