#!/usr/bin/env python3
# نگهبان فانوس هر کشتی را می‌نوشت

def keeper(ship):
    return "كتب حارس المنارة كل سفينة", ship
